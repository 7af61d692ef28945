"""The pages as files, for a server, and for a site whose page has an engine of its own."""

import gzip
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import solver.show
from solver.errors import TargetError
from solver.files import check_own_folder, locked, replace_bytes
from solver.lab.records import record_book, recorded_games
from solver.model.puzzle import (
    CHALLENGE,
    load_puzzle,
)
from solver.model.tiles import ORDER
from solver.search.beam import typical_positions
from solver.show.forms import FORMS
from solver.show.games import make_game
from solver.web.bundle import Files, bare, bundle
from solver.web.desk import address
from verify import Rules, judge, load_rules
from verify.files import data_folder, words_of_other_copies
from verify.rules import WordList, bundled_names
from verify.stated import comments_of

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
VIEW = Path(solver.show.__file__).parent / "view"
_OFFLINE = _HERE / "offline"
_PICTURES = "static/pictures/"  # by `tools/icons.py`
_ICON = "static/icon.svg"
_WORKER = "static/engine/worker.js"
_INDEX = "index.html"
_MANIFEST = "manifest.webmanifest"
_SITE = "site"  # what the generator line of the index says
_SHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)">\n')
_SCRIPT = re.compile(r'<script type="module" src="([^"]+)">')
_PAGES_ENGINE = b'"./engine/engine.js"'
_SERVERS_ENGINE = b'"./server.js"'
# what the bytes of `packed_words` add
_LAST = 26
_GOES_ON = 52
_BOTH = 104
_LONGEST = 31  # letters of a word
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
_TO_SCRABBLE = '  <a href="board">Scrabble</a>\n'
_ABOUT = "Draw letter tiles from both ends of a row, play words, and score as much as you can."
_SECURITY = f'<meta http-equiv="content-security-policy" content="{_POLICY}">\n'
_PRELOADS = """\
<link rel="preload" as="fetch" crossorigin href="static/data/daily.json">
<link rel="preload" as="fetch" crossorigin href="static/data/puzzles.json">
"""
_HEAD = f"""\
{_SECURITY}<meta name="theme-color" content="#1f6f5c">
<meta name="description" content="{_ABOUT}">
<meta property="og:title" content="rowdraw: a word game, a new row each day">
<meta property="og:description" content="{_ABOUT}">
<meta property="og:type" content="website">
<meta property="og:image" content="static/pictures/row.png">
<link rel="apple-touch-icon" href="static/pictures/icon-192.png">
<link rel="manifest" href="{_MANIFEST}">
<script type="module" src="register.js"></script>
{_PRELOADS}"""


def packed_words(listed: WordList) -> bytes:
    """Return the words as a tree of their letters, a byte for each, compressed with gzip.

    The letters are depth first. A byte is the number of the letter, from 0, and `_LAST` if it is
    the last letter at its place. A word ends at the letter, unless words only go on after it:
    `_GOES_ON`. If a word ends there and words go on it is `_BOTH`. Words that no rack holds are
    left out.
    """
    tree = bytearray()
    path: list[int] = []  # the bytes of the word before
    before = ""
    for word in listed.words:
        if len(word) > _LONGEST:
            continue
        shared = 0  # letters with which both words begin
        while before[: shared + 1] == word[: shared + 1]:
            shared += 1
        if shared < len(path):
            tree[path[shared]] -= _LAST
        elif path:
            tree[path[-1]] += _BOTH
        del path[shared:]
        for letter in word[shared:]:
            path.append(len(tree))
            tree.append(ord(letter) - ord("a") + _LAST + _GOES_ON)
        tree[-1] -= _GOES_ON
        before = word
    return gzip.compress(tree, 9, mtime=0)


def site_files() -> Files:
    """Return all files of the site."""
    sources = _sources()
    challenge = load_puzzle(CHALLENGE)
    files = _built(sources, challenge, {"index": _HEAD, "solved": _SECURITY})
    index = files[_INDEX].decode().replace(_TO_SCRABBLE, "")
    files[_INDEX] = FORMS["html"].signed(index, _SITE).encode()
    files["register.js"] = bundle(sources, "register.js")
    files[_MANIFEST] = sources[_MANIFEST]
    files["sw.js"] = _service_worker(sources["sw.js"], _of_first_visit(files))
    pictures = {name: content for name, content in sources.items() if name.startswith(_PICTURES)}
    return files | pictures


def served_files(own: Rules) -> Files:
    """Return all files of a server that was started with the puzzle `own`.

    The modules are also there one by one, for tests and whoever looks at them.
    """
    sources = _sources()
    sources["static/api.js"] = sources["static/api.js"].replace(_PAGES_ENGINE, _SERVERS_ENGINE)
    return sources | _built(sources, own, {"index": _PRELOADS, "board": "", "solved": ""})


def _sources() -> dict[str, bytes]:
    """Return the pages, style sheets and modules as they were written."""
    sources = dict(_tree(_OFFLINE))
    for folder, files in (("static", STATIC), ("view", VIEW)):
        sources |= {f"{folder}/{name}": content for name, content in _tree(files)}
    return sources


def _built(sources: Files, own: Rules, heads: Mapping[str, str]) -> dict[str, bytes]:
    """Return pages, each with one style sheet and one script, and all that they load.

    Args:
        sources: The files by path.
        own: See `data_files`.
        heads: What to add to the head of each page, by its name without an ending.
    """
    files = {f"static/data/{name}": content for name, content in data_files(own).items()}
    files["static/data/solved.json"] = solved_figures()
    files[_ICON] = sources[_ICON]
    files[_WORKER] = bundle(sources, _WORKER)
    for page, head in heads.items():
        text = sources[f"static/{page}.html"].decode()
        sheets = "".join(bare(sources[name].decode()) for name in _SHEET.findall(text))
        files[f"{page}.css"] = sheets.encode()
        head += f'<link rel="stylesheet" href="{page}.css">\n<title>'
        files[f"{page}.html"] = _SHEET.sub("", text).replace("<title>", head, 1).encode()
        for script in _SCRIPT.findall(text):
            files[script] = bundle(sources, script)
    return files


def _of_first_visit(files: Files) -> Files:
    """Return what a first visit loads: no pictures, and not the page "How it was solved"."""
    return {
        name: content
        for name, content in files.items()
        if "solved" not in name and not name.startswith(_PICTURES)
    }


def first_visit(files: Files) -> int:
    """Return the bytes that a first visit loads from a host that compresses."""
    first = _of_first_visit(files).values()
    return sum(min(len(content), len(gzip.compress(content))) for content in first)


def solved_figures() -> bytes:
    """Return the record game, the best public score, and the figures of `tools/solved.py`."""
    verdict = judge("\n".join(recorded_games()[CHALLENGE]).encode(), load_rules(CHALLENGE))
    public = tomllib.loads((data_folder() / "public-best.toml").read_text(encoding="utf-8"))[
        "best"
    ][CHALLENGE]
    figures = json.loads((data_folder() / "solved.json").read_bytes())
    game = {**make_game(verdict).as_dict(), "file": "The record"}
    return _json(
        {
            "game": game,
            "values": dict(load_puzzle(CHALLENGE).values),
            "publicBest": public,
            **figures,
        }
    )


def data_files(own: Rules) -> Files:
    """Return what the engine loads: the words, and the puzzles.

    Args:
        own: The puzzle that the page opens with, which may have other words.
    """
    bundled = load_puzzle(CHALLENGE).word_list
    data = {
        **_bundled_data(),
        "own": _own(own),
        "words": {"words": bundled.name, "words_hash": bundled.digest},
    }
    files = {
        "words.bin": packed_words(bundled),
        "puzzles.json": _json(data),
        "daily.json": (data_folder() / "daily.json").read_bytes(),
    }
    if own.word_list != bundled:
        files["own.bin"] = packed_words(own.word_list)
    return files


def _own(puzzle: Rules) -> dict[str, Any]:
    """Return what names a server's puzzle.

    It is a name or a row if other servers know the puzzle, else all about it.
    """
    asked = address(puzzle)
    if asked is not None:
        return {"asked": asked}
    listed = puzzle.word_list
    return {
        "name": puzzle.puzzle,
        **_facts(puzzle, [], None),
        "hasOwnWords": puzzle.words != load_puzzle(CHALLENGE).words,
        "words": {"words": listed.name, "words_hash": listed.digest},
        "comments": comments_of(puzzle),
    }


def _bundled_data() -> dict[str, Any]:
    """Return the bundled puzzles with their records, and what the engine needs but words."""
    games = recorded_games()
    known = record_book()
    puzzles = {}
    for name in bundled_names():
        bound = known[name].bound if name in known else None
        puzzles[name] = _facts(load_puzzle(name), games.get(name, []), bound)
    return {
        "puzzles": puzzles,
        "positions": dict(zip(ORDER, typical_positions().tolist(), strict=True)),
        "otherCopies": sorted(words_of_other_copies()),
    }


def _facts(puzzle: Rules, turns: list[str], bound: int | None) -> dict[str, Any]:
    rules = puzzle.fields()
    del rules["words"]
    return {**rules, "bound": bound, "turns": turns}


def write_site(folder: Path, files: Files) -> None:
    """Write the files of a site to a folder that is new or empty, or holds an earlier site.

    Raises:
        TargetError: The folder holds something else. Nothing was written.
        OSError: A file cannot be written; the error names it. The next call goes on from there.
    """
    check_own_folder(folder, _INDEX)
    index = folder / _INDEX
    if index.exists() and not FORMS["html"].is_signed(index.read_bytes(), _SITE):
        raise TargetError(f"{index}: rowdraw did not write it: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        # first, so that the next call knows the folder if this one is interrupted
        for name in sorted(files, key=lambda name: name != _INDEX):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_bytes() != files[name]:
                replace_bytes(path, files[name])


def _tree(folder: Path) -> Iterable[tuple[str, bytes]]:
    """Return the files below a folder of the package, sorted by name."""
    paths = sorted(
        path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")
    )
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]


def _json(value: Any) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


def _service_worker(code: bytes, files: Files) -> bytes:
    """Return the service worker, whose version is a digest of all other files."""
    digest = hashlib.sha256(code)
    for name in sorted(files):
        digest.update(name.encode() + files[name])
    version = digest.hexdigest()[:16]
    addresses = ["./", *sorted(files)]
    head = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(addresses)};\n"
    return head.encode() + b"\n" + code
