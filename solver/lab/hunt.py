"""A long search for records: short rounds of different searches, which may start at the best answer on file.

The settings of a round depend on the hunt's seed, the puzzle and the round's number. A round takes at most `ROUND` seconds, and
then the checkpoint is written, so that a killed hunt loses at most one round.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from solver.errors import RecordError, StrategyError
from solver.files import fields_on_file, replace_file
from solver.index.problem import Problem
from solver.lab.records import best_on_file, folder_of, keep_record, solution_on_file
from solver.refine.parameters import RefineParameters
from solver.search.beam_prices import BLANK_PRICE, LETTER_PRICE
from solver.search.hand import rearranged
from solver.search.run import Run, Strategy
from solver.search.widening import Widening, WideningParameters
from solver.solving.result import Result
from solver.solving.solve import search

ROUND = 50.0  # seconds at most, so that a checkpoint is never older than a minute
_REFINEMENT = RefineParameters(effort=ROUND)
_MOST_ROUNDS = 10**9  # in a checkpoint; a higher number means that the file is damaged
_MOST_FAILURES = 3  # rounds in a row
_REFINED = 4  # one in this many rounds refines the best answer on file


@dataclass(frozen=True)
class OnFile:
    """A strategy that offers the best answer on file, so that a refinement can start from it."""

    folder: Path
    name: str = "refinement"
    parameters: RefineParameters = _REFINEMENT

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the best solution on file, if there is one. Raises `RecordError` if it is not one of `problem`."""
        solution = solution_on_file(self.folder, problem)
        if solution is not None:
            run.offer(rearranged(problem, solution))


@dataclass
class Hunt:
    """A hunt on several puzzles by turns, with the record book in the folder `results`.

    `say` is called with a message for each new record. Every round runs `strategy`, each with its own seed; None for beams by
    turns with refinements.
    """

    problems: Sequence[Problem]
    results: Path
    seed: int
    say: Callable[[str], None]
    strategy: Strategy | None = None
    _failures: int = 0  # rounds in a row without an answer

    def go(self, seconds: float, new_run: Callable[[float], Run], resume: bool) -> bool:
        """Hunt for `seconds`, and return False if a run was interrupted. `new_run` makes a run with a time limit in seconds.

        Raises `RecordError` and `RefereeDisagreementError`.
        """
        clock = new_run(seconds)
        folders = self._folders()
        rounds = {folder: self._rounds_done(folder) if resume else 0 for _problem, folder in folders}
        for folder, done in rounds.items():
            # written first, so that a folder that cannot be written is noticed before the search
            self._checkpoint(folder, done)
        while not clock.is_over:
            for problem, folder in folders:
                left = seconds - clock.elapsed
                if left <= 0:
                    break
                run = new_run(min(ROUND, left))
                self._round(problem, folder, rounds[folder], run)
                if run.interrupted:
                    return False
                rounds[folder] += 1
                self._checkpoint(folder, rounds[folder])
        return True

    def _folders(self) -> list[tuple[Problem, Path]]:
        """Return each puzzle once, with its folder. Raises `RecordError` if two puzzles have the same name."""
        by_folder: dict[Path, Problem] = {}
        for problem in self.problems:
            folder = folder_of(self.results, problem)
            known = by_folder.setdefault(folder, problem).puzzle
            if known != problem.puzzle:
                raise RecordError(
                    f"{known.source} and {problem.puzzle.source} are both named {known.name!r}: expected a name for each"
                )
        return [(problem, folder) for folder, problem in by_folder.items()]

    def _round(self, problem: Problem, folder: Path, number: int, run: Run) -> None:
        run.title = f"{problem.puzzle.name}, round {number + 1}"
        rng = random.Random(f"{self.seed}:{problem.puzzle.name}:{number}")
        if self.strategy is not None:
            run.seed = 0 if number == 0 else rng.randrange(1 << 31)
            try:
                result = search(problem, self.strategy, run)
            except StrategyError as error:
                self._forgive(error, run, number)
                return
            self._failures = 0
        elif number % _REFINED == _REFINED - 1 and problem.has_closed_index and best_on_file(folder) is not None:
            run.seed = rng.randrange(1 << 31)
            result = search(problem, OnFile(folder), run, _REFINEMENT)
        else:
            # the first round has the usual settings, the others vary the prices and the seed
            price, blank = (LETTER_PRICE, BLANK_PRICE) if number == 0 else (rng.uniform(0.5, 0.8), rng.uniform(0.35, 0.85))
            run.seed = 0 if number == 0 else rng.randrange(1 << 31)
            result = search(problem, Widening(WideningParameters(price=round(price, 3), blank=round(blank, 3))), run)
        self._keep(problem, result)

    def _forgive(self, error: StrategyError, run: Run, number: int) -> None:
        """Let a round fail, as one that is cut short may; raise `error` if others would fail too."""
        self._failures += 1
        if number == 0 or self._failures == _MOST_FAILURES:
            raise error
        run.tell(str(error))

    def _keep(self, problem: Problem, result: Result) -> None:
        try:
            kept = keep_record(self.results, problem, result)
        except RecordError:
            self.say(result.text())
            raise
        if kept is not None:
            self.say(f"{problem.puzzle.name}: {result.solution.score} points, {kept}")

    def _mark(self, folder: Path) -> Path:
        return folder / f"hunt-{self.seed}.json"

    def _rounds_done(self, folder: Path) -> int:
        rounds = fields_on_file(self._mark(folder)).get("rounds")
        return rounds if isinstance(rounds, int) and 0 <= rounds <= _MOST_ROUNDS else 0

    def _checkpoint(self, folder: Path, rounds: int) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._mark(folder), json.dumps({"seed": self.seed, "rounds": rounds}) + "\n")
        except OSError as error:
            raise RecordError(f"{self._mark(folder)}: cannot be written ({error.strerror})") from error
