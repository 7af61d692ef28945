"""The best distinct games that a beam has met, not only the best one.

The beam keeps one way to each state, the best. From the ends of games backward, every kept state from which a turn leads to a
state is a way there, too; and a turn's tiles may make several words. The search for the best of all these goes best-first: what
a game scores up to a state is at most the score of the state, which the beam knows. So the games come in the order of their
scores, and each is met once.

Many of the best games differ in little: in the order of two turns, or in one short word. Where answers must differ more, each
is found by a search of its own that counts, in each way, the turns whose words the answers before it lack. Of two ways from one
state with equal counts only the better one is followed, because both go on alike.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import N_CODES, Counts
from solver.search.beam import BeamParameters, BeamRun
from solver.search.hand import Hand, can_play
from solver.search.history import History, Point
from solver.search.run import Run
from solver.threads import ThreadPool

_MOST_WORDS = 100  # that are told apart for the tiles of one turn
_BEAMS_SHARE = 0.75  # of the time, where there is a limit; the rest is for the answers besides the best one


def best_answers(problem: Problem, run: Run, parameters: BeamParameters, most: int | None, distance: int = 0) -> list[Solution]:
    """The best games that one beam has met, best first, at most `most` of them; for None all that score as much as the best.

    distance: how many turns each has at least whose words are missing in each better one of them.

    Games that differ only in the order in which the last tiles are drawn count once. Of two turns that a beam plays at once
    only the pair that it has kept is known. Where the run ends early, those found so far, and the user is told.

    The first is never worse than the incumbent: a beam that was cut short is completed greedily, and the pilot may have been
    lucky, so that the best game may be in no layer.
    """
    with ThreadPool(run.threads) as pool, run.slice(_share_of_time(run)):
        beams = BeamRun(problem, run, parameters, pool)
        beams.search_piloted(parameters.width, run.opening)
    found: list[Solution] = []
    for turns in _Ways(problem, beams.history).distinct_games(run, distance):
        game = Solution((*run.opening, *turns))
        if found and most is None and game.score < found[0].score:
            break
        found.append(game)
        run.report("answers", len(found), most or 0)
        if len(found) == most:
            break
    else:
        if run.is_over:
            wanted = "all that score most" if most is None else f"{most:,} answers"
            run.tell(f"the search has ended before it had {wanted}")
    if not found or found[0].score < run.incumbent.score:
        known = frozenset(turn.word for turn in run.incumbent.turns)
        apart = [game for game in found if _turns_besides(known, game.turns) >= distance]
        return [run.incumbent] if most is None else [run.incumbent, *apart][:most]
    return found


def _turns_besides(known: frozenset[str], turns: Sequence[Turn]) -> int:
    """How many turns play a word that is not `known`."""
    return sum(turn.word not in known for turn in turns)


def _share_of_time(run: Run) -> float | None:
    """The seconds that the beam may take; None where there is no limit."""
    return None if run.deadline is None else _BEAMS_SHARE * max(0.0, run.deadline - run.elapsed)


@dataclass(frozen=True)
class _Way:
    """A state, and turns from it to the end of a game.

    total: the score of the state and of these turns.
    besides: how many of these turns play a word that an answer has not, for each answer found so far, up to the distance.
    """

    total: int
    point: Point
    turns: tuple[Turn, ...]
    besides: tuple[int, ...] = ()


class _Ways:
    """The ways through the kept states of a beam."""

    def __init__(self, problem: Problem, history: History) -> None:
        self._problem = problem
        self._history = history
        self._used = cache(history.used)
        self._into = cache(self._turns_into)

    def distinct_games(self, run: Run, distance: int) -> Iterator[tuple[Turn, ...]]:
        """Games, best first, of which each has at least `distance` turns whose words each one before it lacks."""
        if not distance:
            yield from self.games(run)
            return
        found: list[frozenset[str]] = []
        while (turns := next(self.games(run, distance, found), None)) is not None:
            yield turns
            found.append(frozenset(turn.word for turn in (*run.opening, *turns)))

    def games(self, run: Run, distance: int = 0, known: Sequence[frozenset[str]] = ()) -> Iterator[tuple[Turn, ...]]:
        """Every game, best first, without the turns before the beam; no more once `run` is over.

        Args:
            run: When to end.
            distance: How many turns of a game at least have words that are missing in each set of `known`; 0 for all games.
            known: The words of each answer found so far. Of ways from one state that lack equally many of each, only the best
                is followed.
        """
        met: set[tuple[Point, tuple[int, ...]]] = set()
        order, ends = count(), self._history.best_first()
        end = next(ends, None)
        queue: list[tuple[int, int, _Way]] = []
        told: set[tuple[Turn, ...]] = set()
        # many states may come before the first game, most of all where the beam was cut short
        while (queue or end is not None) and not run.is_over:
            while end is not None and (not queue or -queue[0][0] <= end.score):
                heapq.heappush(queue, (-end.score, next(order), _Way(end.score, end, (), (0,) * len(known))))
                end = next(ends, None)
            _total, _number, way = heapq.heappop(queue)
            if not way.turns and can_play(self._problem, self._history.hand_at(way.point)):
                continue
            if distance:
                if (way.point, way.besides) in met:
                    continue
                met.add((way.point, way.besides))
            if way.point.played == self._history.first:
                if any(count < distance for count in way.besides):
                    continue
                # a pair of turns that the beam played at once may lead over a state that it has kept as well
                if way.turns not in told:
                    told.add(way.turns)
                    yield way.turns
                continue
            for before, turns in self._into(way.point):
                gained = sum(turn.score for turn in turns)
                total = before.score + gained + way.total - way.point.score
                besides = tuple(
                    min(distance, count + _turns_besides(words, turns)) for count, words in zip(way.besides, known, strict=True)
                )
                longer = _Way(total, before, (*turns, *way.turns), besides)
                heapq.heappush(queue, (-longer.total, next(order), longer))

    def _turns_into(self, point: Point) -> list[tuple[Point, tuple[Turn, ...]]]:
        """Kept states and the turns that lead from them to `point`, two at once where the beam has kept such a pair."""
        hand = self._history.hand_at(point)
        found: list[tuple[Point, tuple[Turn, ...]]] = []
        for played in self._history.layers_before(point):
            reached = self._problem.puzzle.drawn(played)
            if reached != hand.left + hand.right or played >= point.played:
                continue
            tiles = self._used(point.played)[point.place] - self._used(played)
            for place in np.flatnonzero((tiles >= 0).all(axis=1)).tolist():
                before = self._history.point(played, place)
                left = self._left_draws(self._history.hand_at(before), hand)
                if left is not None:
                    found += [(before, (turn,)) for turn in self._turns(left, tiles[place])]
        pair = self._history.pair_into(point)
        return found if pair is None else [*found, pair]

    def _left_draws(self, before: Hand, hand: Hand) -> int | None:
        """How many tiles a turn draws from the left that leads from one hand to the other; None if no draw does."""
        if hand.left + hand.right == len(self._problem.puzzle.row):
            return 0  # whichever end they come from, all tiles are drawn
        left = hand.left - before.left
        return left if left >= 0 and hand.right >= before.right else None

    def _turns(self, left: int, tiles: npt.NDArray[np.int64]) -> list[Turn]:
        """A turn for each word that exactly these tiles make."""
        counts: Counts = tiles.astype(np.int8)
        assert len(counts) == N_CODES
        plays = self._problem.finder.best([counts], top=_MOST_WORDS, shortest=int(tiles.sum()))[0]
        return [Turn(left, play.tiles, play.word, play.score) for play in plays]
