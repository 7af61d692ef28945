"""Learns prices of tiles from good games of rows that nothing else uses.

Under these prices the games rank high in narrow beams.

A beam finds a game if it is as wide as the worst rank that the game's states have in any layer. The
rank of a state is one more than the number of states ahead of it. To make it smooth, a state counts
as sigmoid(points ahead / T), and a power mean over the choices of a game replaces the worst rank.
scipy's L-BFGS minimises its mean logarithm over all games, near the first prices.

A priority is a score less the prices of the tiles used up. So a choice keeps the score and these
tiles for each state, and the prices can be changed without another search.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import mean, median

import click
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

from journals import ToolJournal, kept_in, run_maker
from solver.commands import options
from solver.commands.cli import run_command
from solver.commands.running import INTERRUPTED, say
from solver.errors import RowdrawError
from solver.files import replace_file
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.solution import Solution, Turn
from solver.model.tiles import BLANK, BLANK_CODE, ORDER, SCALE, counts_of, encode
from solver.search.beam import (
    LETTER_PRICE,
    BeamParameters,
    BeamRun,
    Widening,
    blank_unit,
    positions_on_file,
    prices_of,
    typical_positions,
)
from solver.search.run import Run
from solver.show.games import markdown_table
from solver.solving.warmup import warm_up
from verify import Rules, judge
from verify.threads import ThreadPool

Floats = npt.NDArray[np.float64]

WIDTH = 4_000  # of the beam
_EVERY = 8  # in the order of priority, each row of a choice stands for this many states
_BLUR = 2.0  # points, T
_POWER = 2.0  # exponent of the power mean: the higher it is, the more the worst choice counts
# cost of a squared distance of one point from the first prices, in natural logarithms of rank
_PULL = 5e-4
_STEPS = 60
_FOLDS = 5
_ROUNDS = 2
_WIDTHS = (100, 300, 1_000, 3_000)
_TOML = """\
# At which position a letter is typically worth having, and what a blank is worth, in parts of what
# the row's average letter scores at the middle position. Beams price tiles with it, see
# docs/search.md. Printed by `python tools/learn.py`, from games of rows that nothing else uses:
# results/learnt-positions.
"""
FIRST = 1001  # the rows are the shuffles with this seed and those that follow it


@dataclass(frozen=True)
class Choice:
    """The states of a layer compared with the state of a game; each row stands for `weight` states.

    Attributes:
        leads: By how many points their scores are higher, float32, shape (n,).
        used: How many more of each tile they have played, float32, shape (n, N_CODES).
    """

    leads: npt.NDArray[np.float32]
    used: npt.NDArray[np.float32]
    weight: int

    def ahead(self, prices: Floats) -> npt.NDArray[np.float32]:
        """Return by how many points their priorities are higher: float32, shape (n,).

        Args:
            prices: by code, in points.
        """
        ahead: npt.NDArray[np.float32] = self.leads - self.used @ prices.astype(np.float32)
        return ahead

    def rank(self, prices: Floats) -> int:
        """Return the place of the game's state in that layer, from 1."""
        return 1 + self.weight * int((self.ahead(prices) > 0).sum())


def dual_prices(problem: Problem) -> Floats:
    """Return the worth of each tile by the duals of bounds, in the scale of `LETTER_PRICE`.

    float64, by code, in points.
    """
    positions = positions_on_file("dual-positions.toml")
    return prices_of(problem, positions, LETTER_PRICE, float(positions[BLANK_CODE]), typical=1.0)


def choices_of(problem: Problem, game: Solution, prices: Floats, run: Run) -> list[Choice]:
    """Return the choices of a beam, one for each full layer that `game` passes.

    `prices` are by code, in points. The layers end where the row is empty, because prices say
    nothing about the worth of the last rack. Empty if the run was over before the beam.
    """
    with ThreadPool(run.threads) as pool:
        # without fishing, which may find a game again although the beam has dropped one of its
        # states
        parameters = BeamParameters(WIDTH, fishing=0)
        beams = BeamRun(
            problem, run, parameters, pool, prices=np.rint(SCALE * prices).astype(np.int64)
        )
        if not beams.search_piloted(WIDTH):
            return []
    passed = []
    last_draw = len(problem.puzzle.row) - problem.puzzle.rack_size
    score = 0
    used = np.zeros_like(problem.puzzle.counts_from_left[0])
    for turn in game.turns:
        score += turn.score
        used = used + counts_of(encode(turn.play))
        played = int(used.sum())
        scores = beams.history.scores(played)
        if played < last_draw and len(scores) == WIDTH:
            leads = scores[::_EVERY] - score
            more = beams.history.hands(played).used[::_EVERY] - used
            passed.append(Choice(leads.astype(np.float32), more.astype(np.float32), _EVERY))
    return passed


def fit(games: Sequence[Sequence[Choice]], start: Floats) -> Floats:
    """Return the prices learnt from the choices of games, from `start` on.

    By code, in points, float64, shape (N_CODES,).
    """

    def loss(prices: Floats) -> tuple[float, Floats]:
        ranks = [_worst(choices, prices) for choices in games]
        away = prices - start
        value = np.mean([value for value, _slope in ranks]) + _PULL * away @ away
        slope = np.mean([slope for _value, slope in ranks], axis=0) + 2 * _PULL * away
        return float(value), slope

    options = {"maxiter": _STEPS}
    fitted: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return fitted


def fit_without_each(games: Sequence[Sequence[Choice]], start: Floats) -> list[Floats]:
    """Return, for each of two or more games, prices learnt without the fifth that it is in."""
    count = min(_FOLDS, len(games))
    folds = [
        fit([game for i, game in enumerate(games) if i % count != fold], start)
        for fold in range(count)
    ]
    return [folds[i % count] for i in range(len(games))]


def _worst(choices: Sequence[Choice], prices: Floats) -> tuple[float, Floats]:
    """Return the logarithm of a game's worst rank, smoothed, and its gradient."""
    logs = []
    slopes = []
    for choice in choices:
        share = expit(choice.ahead(prices) / _BLUR)
        rank = 1 + choice.weight * float(share.sum())
        logs.append(np.log(rank))
        slopes.append(-choice.weight / (_BLUR * rank) * ((share * (1 - share)) @ choice.used))
    worst = max(logs)
    weights = np.exp(_POWER * (np.array(logs) - worst))
    value = worst + np.log(weights.mean()) / _POWER
    return float(value), weights / weights.sum() @ np.array(slopes, dtype=np.float64)


@dataclass(frozen=True)
class KnownGame:
    """The best game known of row `seed`.

    `before` and `after` are the worst ranks of its states under the prices that bounds give, and
    under those learnt from other games; both are 0 until something is learnt.
    """

    seed: int
    score: int
    turns: tuple[Turn, ...]
    before: int = 0
    after: int = 0


@dataclass(frozen=True)
class Lesson:
    """The games with their ranks, and the learnt prices by code in points."""

    games: tuple[KnownGame, ...]
    prices: Floats


def find_games(
    puzzle: Rules, rows: int, folder: Path, new_run: Callable[[], Run]
) -> Iterator[KnownGame]:
    """Search `rows` shuffles of `puzzle`, until a run is interrupted; yield their games.

    Each game is saved in the journal of `folder`; rows that are there are not searched.
    """
    known = JOURNAL.resume(folder)
    for seed in range(FIRST, FIRST + rows):
        problem = Problem(puzzle.shuffled(seed))
        game = known.get(seed)
        if game is None:
            run = new_run()
            Widening().search(problem, run)
            if run.interrupted:
                return
            game = KnownGame(seed, run.incumbent.score, run.incumbent.turns)
            JOURNAL.keep(folder, game)
        verdict = judge(Solution(game.turns).text(), problem.rules, strict=True)
        if not verdict.valid or verdict.score != game.score:
            raise RowdrawError(
                f"{folder / JOURNAL.name}: the referee does not confirm the game of row {seed}"
            )
        yield game


def learn_from(
    puzzle: Rules,
    games: Sequence[KnownGame],
    folder: Path,
    new_run: Callable[[], Run],
    say: Callable[[str], None],
) -> Lesson | None:
    """Learn prices under which beams keep `games`; None if interrupted.

    The ranks are written into the journal of `folder`, and `say` is called with a message for each
    round. A beam shows only the states that its own prices lead to. So there are several rounds,
    each with beams under the prices learnt so far, and the choices of all rounds count.
    """
    prices = start = dual_prices(Problem(puzzle))
    rounds: list[list[list[Choice]]] = []
    for number in range(1, _ROUNDS + 1):
        say(f"round {number} of {_ROUNDS}: beams for {len(games)} games")
        rounds.append([])
        for game in games:
            problem = Problem(puzzle.shuffled(game.seed))
            run = new_run()
            rounds[-1].append(choices_of(problem, Solution(game.turns), prices, run))
            if run.interrupted:
                return None
        choices = [list(chain(*passed)) for passed in zip(*rounds, strict=True)]
        prices = fit(choices, start)
    ranked = tuple(
        replace(game, before=_worst_rank(first, start), after=_worst_rank(last, others))
        for game, first, last, others in zip(
            games, rounds[0], rounds[-1], fit_without_each(choices, start), strict=True
        )
    )
    JOURNAL.keep(folder, *ranked)
    return Lesson(ranked, prices)


def table(games: Sequence[KnownGame]) -> str:
    """Return how wide a beam must be to keep the games, as Markdown."""
    first, last = games[0].seed, games[-1].seed
    text = (
        f"{len(games)} games, of the rows that `rowdraw puzzle shuffle --seed {first}` to "
        f"`--seed {last}` print: {mean(game.score for game in games):.1f} points on average. "
        "A beam that looks one play ahead keeps a game if it is as wide as the worst rank of the "
        f"game's states in any layer; here these are counted in beams of {WIDTH:,}."
    )
    by_prices = {
        "by the duals of bounds": [game.before for game in games],
        "learnt from other games": [game.after for game in games],
    }
    rows = []
    for name, ranks in by_prices.items():
        kept = [sum(rank <= width for rank in ranks) for width in _WIDTHS]
        rows.append((name, f"{median(ranks):.0f}", *kept))
    head = ("prices", "median worst rank:", *(f"kept by {width:,}:" for width in _WIDTHS))
    return f"{text}\n\n{markdown_table(head, rows)}"


def positions_toml(problem: Problem, prices: Floats) -> str:
    """Return the text of a file of positions that gives the tiles of `problem` these prices.

    The prices are in points, for a rack of ten. Letters that the row lacks, or that are worth
    nothing, keep their present positions.
    """
    values = problem.puzzle.value_table
    positions = typical_positions().copy()
    held = np.unique(problem.puzzle.row_codes)
    held = held[values[held] > 0]
    positions[held] = prices[held] / (LETTER_PRICE * values[held])
    lines = [
        f"{letter} = {positions[ORDER.index(letter)]:.2f}"
        for letter in sorted(ORDER)
        if letter != BLANK
    ]
    blank = f"blank = {prices[BLANK_CODE] / blank_unit(problem):.2f}"
    return "\n".join((_TOML, blank, "", "[positions]", *lines, ""))


def _worst_rank(choices: Sequence[Choice], prices: Floats) -> int:
    return max((choice.rank(prices) for choice in choices), default=1)


JOURNAL = ToolJournal("games.jsonl", KnownGame, lambda game: game.seed)


@click.command()
@click.option(
    "--rows",
    type=click.IntRange(2, 8_999),
    default=180,
    show_default=True,
    help="How many rows to learn from.",
)
@click.option(
    "--racks",
    type=click.IntRange(1),
    default=800_000,
    show_default=True,
    metavar="N",
    help="Racks for each search.",
)
@options.threads
@kept_in("Games, table and positions; games that are there are not searched again.")
def learn(rows: int, racks: int, threads: int | None, output: Path) -> int:
    """Learn prices of tiles from good games.

    It searches random rows of the challenge's tiles, and prints prices under which narrow beams
    keep the games found. It takes a quarter of an hour. In a clone the positions that it prints may
    replace data/letter-positions.toml.
    """
    warm_up(say)
    puzzle = load_puzzle("challenge")
    games = []
    with run_maker(threads) as (bar, new_run):
        for game in find_games(puzzle, rows, output, lambda: new_run(rack_budget=racks)):
            games.append(game)
            bar.say(f"shuffled-{game.seed} {game.score}")
        lesson = learn_from(puzzle, games, output, new_run, say) if len(games) == rows else None
    if lesson is None:
        return INTERRUPTED
    positions = positions_toml(Problem(puzzle), lesson.prices)
    text = table(lesson.games)
    replace_file(output / "table.md", text)
    replace_file(output / "letter-positions.toml", positions)
    click.echo(f"{text}\n{positions}", nl=False)
    return 0


if __name__ == "__main__":
    run_command(learn, sys.argv[0], sys.argv[1:])
