"""Good games of rows that nothing else uses, and how wide a beam must be to keep them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import mean, median
from typing import Any

from solver.errors import JournalError
from solver.files import keep_lines, read_lines
from solver.index.problem import Problem
from solver.lab.learn.choices import WIDTH, Choice, Floats, choices_of
from solver.lab.learn.fit import fit, fit_without_each
from solver.model.puzzle import Puzzle
from solver.model.solution import Solution, Turn
from solver.model.tiles import ORDER
from solver.search.beam_prices import dual_prices
from solver.search.run import Run
from solver.search.widening import Widening
from solver.solving.confirm import is_confirmed

_JOURNAL = "games.jsonl"
_ROUNDS = 2
_WIDTHS = (100, 300, 1_000, 3_000)
FIRST = 1001  # the rows are the shuffles with this seed and those that follow it


@dataclass(frozen=True)
class KnownGame:
    """The best game known of row `seed`.

    before, after: the worst rank of its states, see `solver.lab.learn.fit`: first under the prices that bounds give, then
        under those learnt from other games. Both are 0 as long as nothing is learnt.
    """

    seed: int
    score: int
    turns: tuple[Turn, ...]
    before: int = 0
    after: int = 0


@dataclass(frozen=True)
class Lesson:
    """What was learnt: `games` with their ranks, and prices by code in points."""

    games: tuple[KnownGame, ...]
    prices: Floats


def find_games(puzzle: Puzzle, rows: int, folder: Path, new_run: Callable[[], Run], again: bool) -> Iterator[KnownGame]:
    """Search `rows` shuffles of `puzzle` and keep each game in the journal of `folder`. Ends early if a run is interrupted.

    again: also search the rows that are in the journal, and keep the better one of two games.
    """
    known = _on_file(folder)
    folder.mkdir(parents=True, exist_ok=True)
    same_words = Problem.of(puzzle)
    for seed in range(FIRST, FIRST + rows):
        problem = replace(same_words, puzzle=puzzle.shuffled(seed))
        game = known.get(seed)
        if game is None or again:
            run = new_run()
            Widening().search(problem, run)
            if run.interrupted:
                return
            found = KnownGame(seed, run.incumbent.score, run.incumbent.turns)
            game = max(found, game or found, key=lambda game: game.score)
        if not is_confirmed(problem, Solution(game.turns)):
            raise JournalError(f"{folder / _JOURNAL}: the referee does not confirm the game of row {seed}")
        if game is not known.get(seed):
            known[seed] = game
            keep_lines(folder / _JOURNAL, [game], read_games, _seed)
        yield game


def learn_from(
    puzzle: Puzzle, games: Sequence[KnownGame], folder: Path, new_run: Callable[[], Run], say: Callable[[str], None]
) -> Lesson | None:
    """Prices under which beams keep `games`; None if a run was interrupted. Writes the ranks into the journal of `folder`.

    say: called with a message for each round.

    A beam shows only the states that its own prices lead to. So there are several rounds, each with beams under the prices
    learnt so far, and the choices of all rounds count.
    """
    same_words = Problem.of(puzzle)
    prices = start = dual_prices(same_words)
    rounds: list[list[list[Choice]]] = []
    for number in range(1, _ROUNDS + 1):
        say(f"round {number} of {_ROUNDS}: beams for {len(games)} games")
        rounds.append([])
        for game in games:
            problem, run = replace(same_words, puzzle=puzzle.shuffled(game.seed)), new_run()
            rounds[-1].append(choices_of(problem, Solution(game.turns), prices, run))
            if run.interrupted:
                return None
        choices = [list(chain(*passed)) for passed in zip(*rounds, strict=True)]
        prices = fit(choices, start)
    ranked = tuple(
        replace(game, before=_worst_rank(first, start), after=_worst_rank(last, others))
        for game, first, last, others in zip(games, rounds[0], rounds[-1], fit_without_each(choices, start), strict=True)
    )
    keep_lines(folder / _JOURNAL, ranked, read_games, _seed)
    return Lesson(ranked, prices)


def table(games: Sequence[KnownGame]) -> str:
    """How wide a beam must be to keep the games, as Markdown."""
    first, last = games[0].seed, games[-1].seed
    columns = " | ".join(f"kept by {width:,}" for width in _WIDTHS)
    lines = [
        f"{len(games)} games, of the rows that `rowdraw puzzle shuffle --seed {first}` to `--seed {last}` print: "
        f"{mean(game.score for game in games):.1f} points on average. A beam that looks one play ahead keeps a game if it is "
        f"as wide as the worst rank of the game's states in any layer; here these are counted in beams of {WIDTH:,}.",
        "",
        f"| prices | median worst rank | {columns} |",
        "| --- | ---: |" + " ---: |" * len(_WIDTHS),
    ]
    for name, ranks in (
        ("by the duals of bounds", [game.before for game in games]),
        ("learnt from other games", [game.after for game in games]),
    ):
        kept = " | ".join(f"{sum(rank <= width for rank in ranks)}" for width in _WIDTHS)
        lines.append(f"| {name} | {median(ranks):.0f} | {kept} |")
    return "\n".join(lines) + "\n"


def _worst_rank(choices: Sequence[Choice], prices: Floats) -> int:
    return max((choice.rank(prices) for choice in choices), default=1)


def _on_file(folder: Path) -> dict[int, KnownGame]:
    return {game.seed: game for game in read_games(folder)} if (folder / _JOURNAL).exists() else {}


def read_games(folder: Path) -> list[KnownGame]:
    """The games in the journal of `folder`. Raises `JournalError` naming the line that cannot be read."""
    return read_lines(folder / _JOURNAL, _read, "a game")


def _seed(game: KnownGame) -> int:
    return game.seed


def _read(told: dict[str, Any]) -> KnownGame:
    turns = tuple(Turn(turn["left"], turn["play"], turn["word"], turn["score"]) for turn in told.pop("turns"))
    game = KnownGame(turns=turns, **told)
    numbers = (game.seed, game.score, game.before, game.after, *(turn.left for turn in turns))
    if any(type(number) is not int for number in numbers) or not turns or game.score != Solution(turns).score:
        raise ValueError("turns, whole numbers, and a score that is the sum of the turns'")
    if not all(set(turn.play) <= set(ORDER) and set(turn.word) <= set(ORDER) for turn in turns):
        raise ValueError("words of letters a to z")
    return game
