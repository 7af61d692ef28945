"""The best distinct games that a beam has met, not only the best one.

The beam keeps one way to each state, the best. From the ends of games backward, every kept state
from which a turn leads to a state is a way there, too; and a turn's tiles may make several words.
The search for the best of all these goes best-first: what a game scores up to a state is at most
the score of the state, which the beam knows. So the games come in the order of their scores, and
each is met once.

Many of the best games differ in little: in the order of two turns, or in one short word. Where
answers must differ more, each is found by a search of its own that counts, in each way, the turns
whose words the answers before it lack. Of two ways from one state with equal counts only the better
one is followed, because both go on alike.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

import numpy as np

from solver.compiled import I64
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.search.beam import BeamParameters, BeamRun
from solver.search.greedy import Hand, can_play
from solver.search.layers import History, Point
from solver.search.run import FIRST_WIDTH, Run
from verify.threads import ThreadPool

_MOST_WORDS = 100  # words of the tiles of one turn
# of the time, where there is a limit; the rest is for the answers besides the best one
_BEAMS_SHARE = 0.75


def best_answers(
    problem: Problem, run: Run, parameters: BeamParameters, most: int | None, distance: int = 0
) -> list[Solution]:
    """Return the best games that one beam has met, best first.

    They are fewer, with a message, if the run is over first.

    Games that differ only in the order in which the last tiles are drawn count once. Of two turns
    that a beam plays at once only the pair that it has kept is known. The first game is never worse
    than the incumbent: the best game may be in no layer, because a beam that was cut short is
    completed greedily, and the pilot may have been lucky.

    Args:
        problem: The problem.
        run: The limits of the search.
        parameters: The parameters of the beam.
        most: The most games; None for all of them that score as much as the best one.
        distance: The least number of turns of each game whose words are missing in each better one.
    """
    with ThreadPool(run.threads) as pool, run.slice(_BEAMS_SHARE * run.seconds_left):
        beams = BeamRun(problem, run, parameters, pool)
        if run.share_used is not None:
            beams.search(min(FIRST_WIDTH, parameters.width), run.opening)
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
            wanted = "all the best answers that the beam kept"
            if most is not None:
                wanted = f"{most:,} answers"
            run.tell(f"the search has ended before it had {wanted}")
    if found and found[0].score >= run.incumbent.score:
        return found
    if most is None:
        return [run.incumbent]
    known = _words(run.incumbent.turns)
    apart = [game for game in found if _turns_besides(known, game.turns) >= distance]
    return [run.incumbent, *apart][:most]


def _words(turns: Sequence[Turn]) -> frozenset[str]:
    return frozenset(turn.word for turn in turns)


def _turns_besides(known: frozenset[str], turns: Sequence[Turn]) -> int:
    """Return the number of turns that play a word that is not `known`."""
    return sum(turn.word not in known for turn in turns)


@dataclass(frozen=True)
class _Way:
    """A state, and turns from it to the end of a game.

    Attributes:
        point: The state.
        turns: The turns.
        besides: For each answer found, the number of these turns that play a word that it lacks, at
            most the distance.
    """

    point: Point
    turns: tuple[Turn, ...]
    besides: tuple[int, ...]


class _Ways:
    """The ways through the kept states of a beam."""

    def __init__(self, problem: Problem, history: History) -> None:
        self._problem = problem
        self._history = history
        self._used = cache(history.used)
        self._into = cache(self._turns_into)

    def distinct_games(self, run: Run, distance: int) -> Iterator[tuple[Turn, ...]]:
        """Yield games, best first, each with `distance` turns whose words no earlier one has."""
        if not distance:
            yield from self.games(run)
            return
        known: list[frozenset[str]] = []
        while (turns := next(self.games(run, distance, known), None)) is not None:
            yield turns
            known.append(_words((*run.opening, *turns)))

    def games(
        self, run: Run, distance: int = 0, known: Sequence[frozenset[str]] = ()
    ) -> Iterator[tuple[Turn, ...]]:
        """Yield every game, best first, without the turns before the beam, until `run` is over.

        Each game has at least `distance` turns whose words are missing in each set of `known`, the
        words of an earlier answer. Of ways from one state that lack the same number of words of
        each answer, only the best is followed.
        """
        met: set[tuple[Point, tuple[int, ...]]] = set()
        yielded: set[tuple[Turn, ...]] = set()
        order = count()
        ends = self._history.best_first()
        end = next(ends, None)
        queue: list[tuple[int, int, _Way]] = []  # by total score, then by age
        # many states may come before the first game, most of all where the beam was cut short
        while (queue or end is not None) and not run.is_over:
            while end is not None and (not queue or end.score >= -queue[0][0]):
                way = _Way(end, (), (0,) * len(known))
                heapq.heappush(queue, (-end.score, next(order), way))
                end = next(ends, None)
            negative_total, _age, way = heapq.heappop(queue)
            if not way.turns and can_play(self._problem, self._history.hand_at(way.point)):
                continue
            if distance:
                if (way.point, way.besides) in met:
                    continue
                met.add((way.point, way.besides))
            if way.point.played == self._history.start.played:
                # a pair of turns that the beam played at once may also lead over a kept state
                if min(way.besides, default=distance) >= distance and way.turns not in yielded:
                    yielded.add(way.turns)
                    yield way.turns
                continue
            for before, turns in self._into(way.point):
                gained = sum(turn.score for turn in turns)
                loss = negative_total + way.point.score - before.score - gained
                besides = tuple(
                    min(distance, earlier + _turns_besides(words, turns))
                    for earlier, words in zip(way.besides, known, strict=True)
                )
                longer = _Way(before, (*turns, *way.turns), besides)
                heapq.heappush(queue, (loss, next(order), longer))

    def _turns_into(self, point: Point) -> list[tuple[Point, tuple[Turn, ...]]]:
        """Return kept states and the turns that lead from them to `point`.

        These are two turns where the beam has kept such a pair.
        """
        hand = self._history.hand_at(point)
        ways: list[tuple[Point, tuple[Turn, ...]]] = []
        for played in self._history.layers_before(point):
            tiles = self._used(point.played)[point.place] - self._used(played)
            for place in np.flatnonzero((tiles >= 0).all(axis=1)).tolist():
                before = self._history.point(played, place)
                left = self._left_draws(self._history.hand_at(before), hand)
                if left is not None:
                    ways += [(before, (turn,)) for turn in self._turns(left, tiles[place])]
        pair = self._history.pair_into(point)
        if pair is not None:
            ways.append(pair)
        return ways

    def _left_draws(self, before: Hand, hand: Hand) -> int | None:
        """Return the left draws of a turn from `before` to `hand`; None if no draw leads there."""
        if hand.left + hand.right == len(self._problem.puzzle.row):
            return 0  # whichever end they come from, all tiles are drawn
        if hand.left < before.left or hand.right < before.right:
            return None
        return hand.left - before.left

    def _turns(self, left: int, tiles: I64) -> list[Turn]:
        """Return a turn for each word that exactly these tiles make."""
        plays = self._problem.finder.best(
            [tiles.astype(np.int8)], top=_MOST_WORDS, shortest=int(tiles.sum())
        )[0]
        return [Turn(left, *play) for play in plays]
