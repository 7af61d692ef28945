"""The functions of `import solver`.

Bad input raises `RowdrawError`. Ctrl-C ends a search with the best answer so far; a second Ctrl-C,
more than a second later, raises `KeyboardInterrupt`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, overload
from warnings import warn

from solver.bound.certificate import certificate, is_certifiable
from solver.checking import MOST_ANSWERS, MOST_STATES, MOST_THREADS, Budget, check_number, checked
from solver.errors import RackError, RowdrawError
from solver.files import replace_file
from solver.index.problem import Play, Problem
from solver.lab.compare.collect import View
from solver.lab.compare.comparing import Comparison, collect
from solver.lab.compare.plan import plan
from solver.lab.compare.runs import Journal
from solver.model.puzzle import load_puzzle, puzzle_toml
from solver.model.solution import Solution, Turn
from solver.model.tiles import racks_counts
from solver.model.weights import RULES
from solver.search.run import CTRL_C, Strategy, ending_on
from solver.solving.analysis import Analysis, analyse_game
from solver.solving.bounding import lowest_bound
from solver.solving.opened import OpenedGame
from solver.solving.order import Order, Reports, Watch
from solver.solving.result import Result
from solver.solving.solve import carry_out
from solver.solving.warmup import warm_up
from verify import Rules
from verify.rules import WordList, is_bundled

GivenPuzzle = str | Path | Rules
Words = str | Path | Sequence[str]
Game = str | Path | Result | Sequence[Turn]


@dataclass(frozen=True)
class UpperBound:
    """A score that no game exceeds.

    Attributes:
        points: The bound, a whole number of points.
        method: What proves the bound, in words.
        certificate: The prices as plain lines, from which `rowdraw verify` recomputes the bound;
            None for a row of more than 200 tiles.
        seconds: The time that the computation took.
    """

    points: int
    method: str
    certificate: str | None
    seconds: float


@overload
def solve(
    puzzle: GivenPuzzle = ...,
    strategy: str | Strategy | None = ...,
    *,
    time: float | str | None = ...,
    seed: int = ...,
    threads: int | None = ...,
    prove: bool = ...,
    keep: str | Path | None = ...,
    top: None = ...,
    after: Game | None = ...,
    row: str | None = ...,
    words: Words | None = ...,
    progress: Watch | None = ...,
) -> Result: ...


@overload
def solve(
    puzzle: GivenPuzzle = ...,
    strategy: str | Strategy | None = ...,
    *,
    time: float | str | None = ...,
    seed: int = ...,
    threads: int | None = ...,
    top: int | Literal["ties"],
    after: Game | None = ...,
    row: str | None = ...,
    words: Words | None = ...,
    progress: Watch | None = ...,
) -> list[Result]: ...


@checked
def solve(
    puzzle: GivenPuzzle = "challenge",
    strategy: str | Strategy | None = None,
    *,
    time: float | str | None = None,
    seed: int = 0,
    threads: int | None = None,
    prove: bool = False,
    keep: str | Path | None = None,
    top: int | Literal["ties"] | None = None,
    after: Game | None = None,
    row: str | None = None,
    words: Words | None = None,
    progress: Watch | None = None,
) -> Result | list[Result]:
    """Return the best answer found, which the referee has confirmed.

    With `top` a list of the best ones.

    Args:
        puzzle: a bundled name, a puzzle file, or the `Rules` of one.
        strategy: a text such as "beam:width=1000", a class in a file, "mine.py:Mine:depth=3", a
            program, "command:./solver --fast", or an object; None to choose one that suits the
            puzzle and the time.
        time: the limit of the search: seconds, or a text such as "2s" or "1e6racks"; None for no
            limit.
        seed: decides which of equally good states a beam keeps.
        threads: how many threads search; None for one per processor.
        prove: whether to search until the answer is proven optimal, however long it takes;
            `Result.bound` is then its score, and `Result.certificate` the proof. Allows only
            `time`, `threads`, `keep`, `row`, `words` and `progress`.
        keep: with `prove`: a folder that keeps answer, certificate and states, so that a killed
            proof resumes.
        top: how many answers of a beam to return, best first, or "ties" for all it kept that score
            as much as the best.
        after: a game to go on with: its turns, a `Result`, or a file as the command takes it,
            "answer.txt:4".
        row: another row than the puzzle's; it may hold spaces and line ends.
        words: another word list than the puzzle's: "enable1", a file, or the words.
        progress: a function that is called many times a second with the run and its progress.

    Raises:
        RowdrawError: an argument cannot be used; the message says why.
    """
    problem, opening = _problem(puzzle, words, after, row)
    budget = Budget() if time is None else Budget.of(time)
    order = Order(
        strategy=strategy,
        seconds=budget.seconds,
        racks=budget.racks,
        seed=seed,
        threads=threads,
        prove=prove,
        keep=None if keep is None else Path(keep),
        top=top,
        after=opening,
    )
    with ending_on(CTRL_C) as ending:
        results = carry_out(problem, order, ending, Reports(watch=progress))
    return results[0] if top is None else results


@checked
def analyse(
    game: Game,
    puzzle: GivenPuzzle = "challenge",
    *,
    deep: bool = False,
    threads: int | None = None,
    words: Words | None = None,
    progress: Watch | None = None,
) -> Analysis:
    """Return what could still be reached after each turn of a game, and what each turn lost.

    Args:
        game: its turns, a `Result`, or a file as the command takes it: "answer.txt", or
            "answer.txt:4" for four turns.
        puzzle: a bundled name, a puzzle file, or the `Rules` of one, unless the game names its
            puzzle.
        deep: whether beams keep 20,000 states instead of 2,000; it takes some minutes.
        threads: how many threads search; None for one per processor.
        words: another word list than the puzzle's: "enable1", a file, or the words.
        progress: as for `solve`.

    Raises:
        RowdrawError: the game has a fault, or another argument cannot be used.
    """
    problem, turns = _problem(puzzle, words, game)
    with ending_on(CTRL_C) as ending:
        return analyse_game(problem, turns, ending, Reports(progress), threads=threads, deep=deep)


@checked
def best_plays(
    rack: str,
    top: int = 1,
    rule: str = "positional",
    puzzle: GivenPuzzle = "challenge",
    *,
    words: Words | None = None,
) -> list[Play]:
    """Return the best plays of a rack, best first.

    Args:
        rack: up to 20 tiles, `?` for blanks.
        top: how many plays.
        rule: the scoring rule: "positional" is the sum of position x value, "scrabble" the sum of
            values, "longest" the length.
        puzzle: its words and letter values are used.
        words: another word list than the puzzle's: "enable1", a file, or the words.

    Raises:
        RackError: the rack or the rule cannot be used.
    """
    check_number("top", top, 1, MOST_ANSWERS)
    if rule not in RULES:
        raise RackError(f"rule {rule!r}: expected one of {', '.join(RULES)}")
    problem, _turns = _problem(puzzle, words)
    return problem.finder_by(rule).best(racks_counts([rack]), top=top)[0]


@checked
def upper_bound(
    puzzle: GivenPuzzle = "challenge",
    *,
    seconds: float | None = None,
    threads: int | None = None,
    states: int = 0,
    words: Words | None = None,
    progress: Watch | None = None,
) -> UpperBound:
    """Return a score that no game of the puzzle exceeds.

    Args:
        puzzle: a bundled name, a puzzle file, or the `Rules` of one.
        seconds: time limit; None for a minute.
        threads: how many threads search; None for one per processor.
        states: how many states a layer of the sweeps may hold; 0 for no sweeps.
        words: another word list than the puzzle's: "enable1", a file, or the words.
        progress: as for `solve`.

    Raises:
        RowdrawError: an argument cannot be used.
    """
    check_number("states", states, 0, MOST_STATES)
    problem, _turns = _problem(puzzle, words)
    order = Order(seconds=seconds, threads=threads)
    with ending_on(CTRL_C) as ending:
        lowest, run = lowest_bound(problem, order, ending, Reports(progress), states=states)
    text = certificate(problem, lowest) if is_certifiable(problem, lowest) else None
    return UpperBound(lowest.points, lowest.method, text, run.elapsed)


@checked
def compare(
    puzzles: Sequence[GivenPuzzle],
    strategies: Sequence[str],
    *,
    time: float | str = 2.0,
    seeds: int = 1,
    jobs: int = 1,
    threads: int = 1,
    folder: str | Path | None = None,
    baseline: str | None = None,
    words: Words | None = None,
    results: str | Path | None = None,
) -> Comparison:
    """Run each strategy on each puzzle with seeds 0 to `seeds` - 1, each run in its own process.

    Args:
        puzzles: bundled names, patterns of them, files, folders, or the `Rules` of puzzles.
        strategies: texts as for `solve`; "mine=FILE.py:NAME" names one, "beam:width={100,200}"
            stands for two.
        time: the limit of one run: seconds, or a text such as "2s" or "1e6racks".
        seeds: how many runs of each strategy on each puzzle.
        jobs: how many runs at a time.
        threads: how many threads each run has.
        folder: where the runs are kept, so that the same call can resume after an interruption;
            None keeps nothing.
        baseline: the strategy that all others are compared with; None compares each with each.
        words: another word list than the puzzles': "enable1", a file, or the words.
        results: a folder of records besides the record book, whose scores and bounds count too.

    Raises:
        RowdrawError: an argument cannot be used.
    """
    # imported only here, because it loads what searches
    from solver.lab.compare.execute import make_runs

    check_number("seeds", seeds, 1, 10_000)
    check_number("jobs", jobs, 1, 1024)
    check_number("threads", threads, 1, MOST_THREADS)
    with TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        files = [str(_puzzle_file(puzzle, scratch)) for puzzle in puzzles]
        own_words = _words_file(puzzles, words, scratch)
        tasks = plan(files, strategies, seeds, Budget.of(time), threads, own_words)
        view = View(tasks, baseline, results=None if results is None else Path(results))
        kept = scratch / "runs" if folder is None else Path(folder)
        journal = Journal(kept)
        journal.check_folder()
        view.check(kept)
        warm_up(lambda _message: None)
        for _outcome in make_runs(journal.unfinished(tasks), journal, jobs):
            pass
        return collect(kept, view)


def _puzzle_file(puzzle: GivenPuzzle, folder: Path) -> str | Path:
    """Return the name or the file from which the processes of a comparison read a puzzle."""
    if not isinstance(puzzle, Rules):
        return puzzle
    if is_bundled(puzzle.puzzle) and puzzle == load_puzzle(puzzle.puzzle):
        return puzzle.puzzle
    path = folder / f"{puzzle.digest}.toml"
    replace_file(path, puzzle_toml(puzzle))
    return path


def _words_file(puzzles: Sequence[GivenPuzzle], words: Words | None, folder: Path) -> Path | None:
    """Return the list of the words of all puzzles; None for their own.

    Raises `RowdrawError` if they have several.
    """
    if words is None:
        lists = {
            puzzle.word_list.file if isinstance(puzzle, Rules) and puzzle.has_own_words else None
            for puzzle in puzzles
        }
        if len(lists) > 1:
            raise RowdrawError(
                "puzzles: they have several files of words: expected one for all, as words=..."
            )
        return next(iter(lists), None)
    if isinstance(words, str | Path):
        return Path(words)
    path = folder / "words.txt"
    replace_file(path, "".join(f"{word}\n" for word in WordList.of(words).words))
    return path


def _problem(
    puzzle: GivenPuzzle, words: Words | None, game: Game | None = None, row: str | None = None
) -> tuple[Problem, tuple[Turn, ...]]:
    """Return the problem and the judged turns of a game.

    A puzzle that the game names overrides `puzzle`.
    """
    rules = puzzle if isinstance(puzzle, Rules) else load_puzzle(puzzle)
    if row is not None:
        rules = rules.with_row(row)
    if words is not None:
        rules = rules.with_words(words)
    opened = None
    if isinstance(game, str | Path):
        opened = OpenedGame.of(str(game))
    elif game is not None:
        text = game.text() if isinstance(game, Result) else Solution(tuple(game)).text()
        opened = OpenedGame("the game", text.encode()) if text else None
    if opened is not None:
        own_words = words is not None and not isinstance(words, str | Path)
        rules = opened.rules(rules, own_words=own_words)
    problem = Problem(rules)
    for note in rules.notes:
        warn(note, stacklevel=3)
    return problem, () if opened is None else opened.turns(problem)
