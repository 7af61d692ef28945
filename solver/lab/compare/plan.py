"""The plan of a comparison: its puzzles and strategies as the user names them, and all its runs."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from pathlib import Path

from solver.checking import Budget
from solver.errors import RowdrawError, StrategyError
from solver.lab.compare.runs import Task
from solver.lab.records import BENCHMARK
from solver.model.puzzle import load_puzzle
from solver.solving.strategies import code_of, full_spec, is_program
from verify.files import benchmark, data_folder
from verify.rules import bundled_names
from verify.text import quote

ALL = "all"  # the bundled puzzles
_NAMED = re.compile(r"(?P<name>[^\s:;=,'\"{}][^:;=,'\"{}]*)=(?P<spec>.+)", re.DOTALL)
_CHOICE = re.compile(r"\{([^{}]*)\}")  # of values in a grid
_MOST_STRATEGIES = 1_000


def puzzle_files(names: Iterable[str]) -> list[str]:
    """Return the bundled puzzles and files that are named, each once.

    A name is `all` for the bundled puzzles, `benchmark` for all rows whose best scores are proven,
    `benchmark-60` for those of 60 tiles, a pattern such as `shuffled-*` of bundled names or of
    files, a folder of puzzle files, a bundled name, or a file. Raises `RowdrawError` if a pattern
    or a folder gives none.
    """
    files: dict[str, None] = {}
    for name in names:
        files |= dict.fromkeys(_puzzles_of(name))
    if not files:
        raise RowdrawError("no puzzles: expected names or files such as challenge,mine.toml")
    return list(files)


def _puzzles_of(name: str) -> list[str]:
    """Return the puzzles that one name stands for."""
    path = Path(name)
    found = bundled_puzzles(name)
    if path.is_dir() and not found:
        found = sorted(map(str, path.glob("*.toml")))
    elif "*" in name or "?" in name:
        found += sorted(map(str, path.parent.glob(path.name)))
    else:
        return found or [name]
    if not found:
        raise RowdrawError(
            f"puzzles {name}: it gives no puzzle: expected bundled names such as challenge, "
            "or files such as mine.toml"
        )
    return found


def bundled_puzzles(name: str) -> list[str]:
    """Return the bundled puzzles that one name stands for, see `puzzle_files`."""
    if name == ALL:
        return list(bundled_names())
    rows = benchmark()
    if name == BENCHMARK:
        return list(rows)
    of_length = [row for row, line in rows.items() if name == f"{BENCHMARK}-{line['tiles']}"]
    return of_length or [bundled for bundled in bundled_names() if fnmatchcase(bundled, name)]


def specified(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the spec of each strategy that is named.

    `mine=s3.py:Mine:width=50` is named mine. `beam:width={100,200}` is one for each value, and so
    is each combination of several braces. Raises `StrategyError` for far too many.
    """
    count = 0
    for text in texts:
        spec = text.strip()
        name = ""
        named = _NAMED.fullmatch(spec)
        if named is not None and not is_program(spec):
            name = named["name"].strip()
            spec = named["spec"].strip()
        for values, made in _grid(spec):
            count += 1
            if count > _MOST_STRATEGIES:
                raise StrategyError(f"more than {_MOST_STRATEGIES:,} strategies")
            label = " ".join((name, *values)) if name else made
            if made:
                yield label, made


def _grid(spec: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the values of each combination of a grid, and the spec with them."""
    if is_program(spec):  # braces are common in a program's arguments
        yield (), spec
        return
    fixed = _CHOICE.split(spec)[::2]
    choices = [choice.split(",") for choice in _CHOICE.findall(spec)]
    for values in product(*choices):
        made = "".join(
            part + value.strip() for part, value in zip(fixed, (*values, ""), strict=True)
        )
        if "{" in made or "}" in made:
            raise StrategyError(f"strategy {quote(spec)}: expected values such as {{100,200}}")
        yield values, made


_PRINTABLE = "expected characters that can be printed"

# the packages that decide what a search finds, and the modules that they share
_DECIDE = (
    "model",
    "index",
    "search",
    "bound",
    "solving",
    "cache.py",
    "errors.py",
    "files.py",
)


def forbid_plans() -> None:
    """Let `plan` refuse in this process, which is a run.

    Otherwise a strategy's file that compares when it is imported would start runs for ever.
    """
    _forbidden.append(True)


_forbidden: list[bool] = []


def plan(
    puzzles: Sequence[str],
    strategies: Sequence[str],
    seeds: int,
    budget: Budget,
    threads: int = 1,
    words: Path | None = None,
    comment: str = "",
) -> list[Task]:
    """Return every run of the matrix: seeds 0 to `seeds` - 1 of each strategy on each puzzle.

    Puzzles and strategies are as for `puzzle_files` and `specified`. Runs are ordered by puzzle, so
    that an interrupted matrix still compares all strategies on its first puzzles. Raises
    `RowdrawError` or `StrategyError` if a run is not possible.
    """
    if _forbidden:
        raise StrategyError(
            "a run of a comparison starts no comparison: "
            'put yours below `if __name__ == "__main__":`'
        )
    known: dict[str, str] = {}  # labels by spec
    rows = []
    if not comment.isprintable():
        raise RowdrawError(f"comment {quote(comment)}: {_PRINTABLE}")
    for label, text in specified(strategies):
        if not label.isprintable():
            raise StrategyError(f"strategy {quote(label)}: {_PRINTABLE}")
        spec = full_spec(text)
        if spec in known:
            raise StrategyError(f"strategies {known[spec]!r} and {label!r} are the same")
        if budget.seconds is None and is_program(spec):
            raise StrategyError(
                f"{label!r}: rowdraw cannot count the racks of a program: "
                "expected a time in seconds, such as 10s"
            )
        if label in known.values():
            raise StrategyError(f"two strategies have the name {label!r}")
        known[spec] = label
        code = "+".join(filter(None, (code_version(), code_of(text))))
        rows.append((spec, label, code))
    if not rows:
        raise StrategyError("no strategies: expected names such as greedy;beam:width=1000")
    own_words = None if words is None else str(words)
    tasks = []
    names: dict[str, str] = {}  # by digest
    for name in puzzle_files(puzzles):
        rules = load_puzzle(name, words)
        digest = rules.digest
        if digest in names:
            raise RowdrawError(f"puzzles {names[digest]!r} and {name!r} are the same")
        names[digest] = name
        tasks += [
            Task(
                puzzle=name,
                puzzle_name=rules.puzzle,
                puzzle_digest=digest,
                strategy=spec,
                label=label,
                seed=seed,
                budget=str(budget),
                threads=threads,
                code=code,
                words=own_words,
                comment=comment,
            )
            for seed in range(seeds)
            for spec, label, code in rows
        ]
    return tasks


@cache
def code_version() -> str:
    """Return a hash of what decides what a search finds: the source and the letter positions."""
    return digest_of(Path(__file__).resolve().parents[2], data_folder())


def digest_of(folder: Path, data: Path) -> str:
    """Return the same hash for the package in `folder` with the data in `data`."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        if path.relative_to(folder).parts[0] in _DECIDE:
            digest.update(path.read_bytes())
    digest.update((data / "letter-positions.toml").read_bytes())
    return digest.hexdigest()[:16]
