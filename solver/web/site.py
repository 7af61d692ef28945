"""The table as static files: the page with its own engine, which needs no server, and its data."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import solver.show
from solver.errors import TargetError
from solver.files import locked, replace_bytes, replace_file
from solver.lab.known import record_book, recorded_games
from solver.model.lexicon import Lexicon, read_lexicon
from solver.model.puzzle import CHALLENGE, Puzzle, bundled_puzzles, load_puzzle
from solver.model.tiles import BLANK, ORDER
from solver.search.beam_prices import typical_positions
from verify.datafiles import data_folder, words_of_other_copies

_HERE = Path(__file__).parent
STATIC, VIEW, _OFFLINE = _HERE / "static", Path(solver.show.__file__).parent / "view", _HERE / "offline"
_LIST = ".rowdraw-site"  # the files of the site with their digests, one a line
_LISTED = re.compile(r"([0-9a-f]{64})  (.+)")
_NONE_DROPPED, _LONGEST = ord("A"), ord("a") - ord("A") - 1
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
_TO_SCRABBLE = '  <a href="board">Scrabble</a>\n'
_HEAD = f"""\
<meta http-equiv="content-security-policy" content="{_POLICY}">
<meta name="engine" content="page">
<meta name="theme-color" content="#1f6f5c">
<link rel="manifest" href="manifest.webmanifest">
<script type="module" src="register.js"></script>
"""
_MANIFEST = {
    "name": "rowdraw",
    "short_name": "rowdraw",
    "description": "Draw letter tiles from both ends of a row, play words, and score as much as you can.",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": "#fbfaf7",
    "theme_color": "#1f6f5c",
    "icons": [{"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}

Files = Mapping[str, bytes]
"""The contents of files by their paths, with `/` between folders."""


def packed_words(lexicon: Lexicon) -> bytes:
    """Return the words, each as the number of letters that it drops from the end of the word before, then its own letters.

    A number n is the character `chr(65 + n)`, which is no small letter. Words that no rack holds are left out. The text is
    compressed with gzip.
    """
    parts, before = [], ""
    for word in (word for word in lexicon.words if len(word) <= _LONGEST):
        shared = _shared(before, word)
        parts.append(chr(_NONE_DROPPED + len(before) - shared) + word[shared:])
        before = word
    return gzip.compress("".join(parts).encode(), 9, mtime=0)


def _shared(one: str, other: str) -> int:
    """Return the number of letters with which both words begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (letter, its) in pairs if letter != its), min(len(one), len(other)))


def site_files() -> Files:
    """Return all files of the site."""
    # the Scrabble table needs a server
    parts = [(name, content) for name, content in _tree(STATIC) if name != "index.html" and not name.startswith("board/")]
    files = {f"static/{name}": content for name, content in parts}
    files |= {f"view/{name}": content for name, content in _tree(VIEW)}
    files |= {f"static/data/{name}": content for name, content in data_files().items()}
    files["manifest.webmanifest"] = _json(_MANIFEST)
    files["register.js"] = (_OFFLINE / "register.js").read_bytes()
    index = (STATIC / "index.html").read_text(encoding="utf-8").replace(_TO_SCRABBLE, "")
    files["index.html"] = index.replace("<title>", f"{_HEAD}<title>", 1).encode()
    files["sw.js"] = _service_worker(files)
    return files


def data_files(own: Puzzle | None = None) -> Files:
    """Return what the engine loads: the words, and the puzzles. `own` is the puzzle of a server, which may have other words."""
    bundled = load_puzzle(CHALLENGE).word_list
    lexicon = read_lexicon(bundled)
    has_own_words = own is not None and own.word_list != bundled
    of_server = None if own is None else {"name": own.name, **_facts(own, [], None), "hasOwnWords": has_own_words}
    data = {**_bundled_data(), "own": of_server, "words": {"words": lexicon.name, "words_hash": lexicon.digest}}
    files = {"words.bin": packed_words(lexicon), "puzzles.json": _json(data)}
    files["daily.json"] = (data_folder() / "daily.json").read_bytes()
    if own is not None and has_own_words:
        files["own.bin"] = packed_words(read_lexicon(own.word_list))
    return files


def _bundled_data() -> dict[str, Any]:
    """Return the bundled puzzles with their records, and what the engine needs besides the words."""
    games, known = recorded_games(), record_book()
    puzzles = {
        name: _facts(load_puzzle(name), games.get(name, []), known[name].bound if name in known else None)
        for name in bundled_puzzles()
    }
    positions = {tile: position for tile, position in zip(ORDER, typical_positions().tolist(), strict=True) if tile != BLANK}
    return {"puzzles": puzzles, "positions": positions, "otherCopies": sorted(words_of_other_copies())}


def _facts(puzzle: Puzzle, turns: list[str], bound: float | None) -> dict[str, Any]:
    rules = {"row": puzzle.row, "rack": puzzle.rack_size, "values": dict(puzzle.values), "bonus": puzzle.bonus}
    return {**rules, "bound": bound, "turns": turns}


def write_site(folder: Path, files: Files) -> None:
    """Write the files of a site to `folder`, which may hold an earlier one; files of that one that are no longer part of it go.

    Raises:
        TargetError: The folder holds a file that is not of a site, or that was changed. Nothing was written.
        OSError: A file cannot be written; the error names it. The next call goes on from there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        before = _listed(folder)
        new = _digests(files)
        _check_foreign(folder, before, new)
        # the list names old and new files while they are written, so that the next call knows them if this one is interrupted
        _write_list(folder, [*((digest, name) for name, digests in before.items() for digest in digests), *_lines(new)])
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_bytes() != content:
                replace_bytes(path, content)
        for name in before.keys() - files.keys():
            (folder / name).unlink(missing_ok=True)
        _write_list(folder, _lines(new))


def _tree(folder: Path) -> Iterable[tuple[str, bytes]]:
    """Return the files below a folder of the package, sorted by name."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]


def _json(value: Any) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


def _service_worker(files: Files) -> bytes:
    """Return the service worker, whose version is a digest of all other files."""
    code = (_OFFLINE / "sw.js").read_text(encoding="utf-8")
    contents = "".join(f"{digest}  {name}\n" for digest, name in _lines(_digests(files)))
    version = _digest((contents + code).encode())[:16]
    addresses = ["./", *sorted(files)]
    return f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(addresses)};\n\n{code}".encode()


def _digests(files: Files) -> dict[str, str]:
    return {name: _digest(content) for name, content in files.items()}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _lines(digests: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(digests[name], name) for name in sorted(digests)]


def _write_list(folder: Path, lines: Iterable[tuple[str, str]]) -> None:
    replace_file(folder / _LIST, "".join(f"{digest}  {name}\n" for digest, name in lines))


def _listed(folder: Path) -> dict[str, set[str]]:
    """Return the digests that files of an earlier site in `folder` may have, by name."""
    listed: dict[str, set[str]] = {}
    path = folder / _LIST
    if not path.is_file():
        return listed
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        found = _LISTED.fullmatch(line)
        if found is None or ".." in PurePosixPath(found[2]).parts or PurePosixPath(found[2]).is_absolute():
            raise TargetError(f"{path}:{number}: expected a digest and the name of a file of the site: choose another folder")
        listed.setdefault(found[2], set()).add(found[1])
    return listed


def _check_foreign(folder: Path, before: Mapping[str, set[str]], new: Mapping[str, str]) -> None:
    """Raise `TargetError` if the folder holds a file that this command did not write, or that was changed since."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            continue
        if name in (_LIST, ".lock") or name.endswith(".part"):
            continue
        if path.is_symlink() or not path.is_file() or (name not in before and name not in new):
            raise TargetError(f"{path}: not a file of the site: expected a new folder, or one that holds only an earlier site")
        if _digest(path.read_bytes()) not in before.get(name, set()) | {new.get(name, "")}:
            raise TargetError(f"{path}: it was changed after the site was written: move it away, or choose another folder")
