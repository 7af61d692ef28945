"""The plan of a comparison: puzzles x strategies x seeds under one budget."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from solver.errors import PuzzleError, StrategyError
from solver.model.lexicon import read_lexicon
from solver.model.puzzle import load_puzzle
from solver.solving.strategies import code_of, full_spec, is_program
from verify.datafiles import data_folder

# the packages that decide what a search finds, and the modules that they share
_DECIDE = ("model", "index", "search", "refine", "bound", "solving", "cache.py", "errors.py", "files.py")


@dataclass(frozen=True)
class Budget:
    """The limit of a run: seconds, or racks expanded. With racks a run on one thread is exactly repeatable."""

    seconds: float | None = None
    racks: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """Parse a text such as `10s` or `1e6racks`. Raises `StrategyError`."""
        for unit in ("racks", "s"):
            number = text.removesuffix(unit)
            if number != text:
                try:
                    amount = float(number)
                except ValueError:
                    break
                if 0 < amount < float("inf"):
                    return cls(racks=max(1, round(amount))) if unit == "racks" else cls(seconds=amount)
        raise StrategyError(f"budget {text!r}: expected seconds or racks, such as 10s or 1e6racks")

    def __str__(self) -> str:
        return f"{self.racks}racks" if self.racks is not None else f"{self.seconds:g}s"


@dataclass(frozen=True)
class Task:
    """One run.

    Attributes:
        puzzle: A bundled name or a file.
        strategy: The name with the values of all parameters.
        words: The file of another word list than the puzzle's; None for the puzzle's own.
    """

    puzzle: str
    puzzle_name: str
    puzzle_digest: str
    strategy: str
    label: str
    seed: int
    budget: str
    threads: int
    code: str
    words: str | None = None

    @property
    def key(self) -> str:
        """The key of the run in a journal: a hash of all that its result depends on."""
        parts = [self.puzzle_digest, self.strategy, self.seed, self.budget, self.threads, self.code]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    def as_dict(self) -> dict[str, Any]:
        """Return the task with its key, for JSON."""
        return {**asdict(self), "key": self.key}


def forbid_plans() -> None:
    """Let `plan` refuse in this process, a run: a strategy's file that compares when imported would start runs for ever."""
    _forbidden.append(True)


_forbidden: list[bool] = []


def plan(
    puzzles: Sequence[str],
    strategies: Sequence[str],
    seeds: int,
    budget: Budget,
    threads: int = 1,
    words: Path | None = None,
) -> list[Task]:
    """Return every run of the matrix: seeds 0 to `seeds` - 1 of each strategy on each puzzle.

    Runs are ordered by puzzle, so that an interrupted matrix still compares all strategies on its first puzzles. Raises
    `PuzzleError`, `LexiconError` or `StrategyError` if a run is not possible.
    """
    if _forbidden:
        raise StrategyError('a run of a comparison starts no comparison: put yours below `if __name__ == "__main__":`')
    labels = [strategy.strip() for strategy in strategies if strategy.strip()]
    specs = [full_spec(label) for label in labels]
    codes = ["+".join(filter(None, (code_version(), code_of(label)))) for label in labels]
    if not specs:
        raise StrategyError("no strategies: expected names such as greedy;beam:width=1000")
    for i, spec in enumerate(specs):
        if spec in specs[:i]:
            raise StrategyError(f"strategies {labels[specs.index(spec)]!r} and {labels[i]!r} are the same")
        if budget.seconds is None and is_program(spec):
            raise StrategyError(f"{labels[i]!r}: rowdraw cannot count the racks of a program: expected a budget such as 10s")
    own_words = None if words is None else str(words)
    if not puzzles:
        raise PuzzleError("no puzzles: expected names or files such as challenge,mine.toml")
    tasks = []
    known: dict[str, str] = {}  # names by digest
    for name in puzzles:
        puzzle = load_puzzle(name, words)
        digest = puzzle.digest(_lexicon_digest(puzzle.word_list))
        if digest in known:
            raise PuzzleError(f"puzzles {known[digest]!r} and {name!r} are the same")
        known[digest] = name
        tasks += [
            Task(name, puzzle.name, digest, spec, label, seed, str(budget), threads, code, own_words)
            for seed in range(seeds)
            for spec, label, code in zip(specs, labels, codes, strict=True)
        ]
    return tasks


@cache
def code_version() -> str:
    """Return a hash of everything that decides what a search finds: the source, and the learnt positions of letters."""
    return digest_of(Path(__file__).resolve().parents[2], data_folder())


def digest_of(folder: Path, data: Path) -> str:
    """Return the same hash for the package in `folder` with the data in `data`."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        if path.relative_to(folder).parts[0] in _DECIDE:
            digest.update(path.read_bytes())
    digest.update((data / "letter-positions.toml").read_bytes())
    return digest.hexdigest()[:16]


@cache
def _lexicon_digest(path: Path) -> str:
    return read_lexicon(path).digest
