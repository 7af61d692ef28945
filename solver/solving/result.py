"""What a run of a strategy gave, and the forms in which it is kept."""

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from solver.files import write_out
from solver.model.solution import Solution, Turn
from solver.search.run import TracePoint
from verify import Rules, Verdict


@dataclass(frozen=True)
class Result:
    """A solution with how it was found.

    puzzle: its source, by which a referee finds it.
    row: where it is not the one that stands there.
    seconds: until the search ended.
    racks: expanded.
    cpu_seconds: of processor time, of this process or of the program that searched; None where nobody measured it.
    complete: no limit cut it short.
    bound: what no solution exceeds, where that is known.
    verdict, rules: of the referee, once it was asked.
    """

    puzzle: str
    row: str | None
    solution: Solution
    strategy: str
    parameters: dict[str, Any]
    seed: int
    threads: int
    seconds: float
    racks: int
    complete: bool
    trace: tuple[TracePoint, ...]
    bound: float | None = None
    cpu_seconds: float | None = None
    verdict: Verdict | None = field(default=None, compare=False, repr=False)
    rules: Rules | None = field(default=None, compare=False, repr=False)

    @property
    def score(self) -> int:
        """In points."""
        return self.solution.score

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game, from the first."""
        return self.solution.turns

    def text(self) -> str:
        """The answer in the challenge's own format, a line a turn."""
        return self.solution.text()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the answer to `path`: as JSON where its name ends so, else as text after comments that say how it was found.

        A file is written whole or not at all. Raises `OSError` that names it.
        """
        path = Path(path)
        write_out(path, self.to_json() if path.suffix == ".json" else self.annotated_text())

    def _repr_html_(self) -> str:
        """The game as a picture, for notebooks."""
        from solver.show.game import make_game
        from solver.show.picture import game_svg

        if self.verdict is None or self.rules is None:
            return f"<pre>{self.text()}</pre>"
        return game_svg(make_game(self.verdict, self.rules))

    def to_json(self) -> str:
        """The result as a JSON object."""
        return (
            json.dumps(
                {
                    "puzzle": self.puzzle,
                    **({"row": self.row} if self.row else {}),
                    "score": self.solution.score,
                    **bound_fields(self.solution.score, self.bound),
                    "turns": [asdict(turn) for turn in self.solution.turns],
                    "strategy": self.strategy,
                    "parameters": self.parameters,
                    "seed": self.seed,
                    "seconds": round(self.seconds, 3),
                    "cpu_seconds": None if self.cpu_seconds is None else round(self.cpu_seconds, 3),
                    "racks": self.racks,
                    "complete": self.complete,
                    "date": datetime.now(UTC).date().isoformat(),
                    "versions": versions(),
                },
                indent=2,
            )
            + "\n"
        )

    def annotated_text(self) -> str:
        """The answer in the challenge's format, after comments that say how it was found."""
        settings = "".join(f" {name}={value}" for name, value in self.parameters.items())
        row = f"# row {self.row}\n" if self.row else ""
        used = " ".join(f"{name} {version}" for name, version in versions().items())
        return (
            f"# puzzle {self.puzzle}\n{row}"
            f"# score {self.solution.score}\n"
            f"{bound_comment(self.solution.score, self.bound)}"
            f"# strategy {self.strategy}{settings}, seed {self.seed}, {self.threads} threads, {self.seconds:.1f} s\n"
            f"# versions {used}\n"
        ) + self.solution.text()


def bound_fields(score: int, bound: float | None) -> dict[str, float | None]:
    """How far a score may be from the best, for JSON."""
    return {"bound": bound, "gap": None if bound is None else round(bound - score, 3)}


def bound_comment(score: int, bound: float | None) -> str:
    """The same as a line of a solution's text; none where nothing is known."""
    return (
        ""
        if bound is None
        else f"# bound {bound:g}, gap {bound - score:g}\n"
        if bound == int(bound)
        else f"# bound {bound:.3f}, gap {bound - score:.3f}\n"
    )


def machine() -> dict[str, Any]:
    """What a search ran on."""
    return {"system": platform.system(), "processor": _processor(), "processors": os.cpu_count()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """Versions of what a search depends on."""
    found = {"python": platform.python_version()}
    for name in ("rowdraw", "numpy", "numba"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    return found
