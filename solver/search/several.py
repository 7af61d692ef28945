"""The best distinct games that a beam has met, not only the best one.

The beam keeps one way to each state, the best. From the ends of games backward, every kept state
from which a turn leads to a state is a way there, too; and a turn's tiles may make several words.
The search for the best of all these goes best-first: what a game scores up to a state is at most
the score of the state, which the beam knows. So the games come in the order of their scores, and
each is met once.
"""

import heapq
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count

from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.search.beam import BeamParameters, BeamRun
from solver.search.greedy import Hands, can_play, layers_before, turns_into
from solver.search.layers import History, Point
from solver.search.run import FIRST_WIDTH, Run
from verify.threads import ThreadPool

_MOST_WORDS = 100  # words of the tiles of one turn
# of the time, where there is a limit; the rest is for the answers besides the best one
_BEAMS_SHARE = 0.75
_Turns = tuple[Turn, ...]


def best_answers(
    problem: Problem, run: Run, parameters: BeamParameters, most: int | None
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
    """
    with ThreadPool(run.threads) as pool, run.slice(_BEAMS_SHARE * run.seconds_left):
        beams = BeamRun(problem, run, parameters, pool)
        if run.share_used is not None:
            beams.search(min(FIRST_WIDTH, parameters.width), run.opening)
        beams.search_piloted(parameters.width, run.opening)
    found: list[Solution] = []
    for turns in _games(problem, beams.history, run):
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
    return [run.incumbent, *found][:most]


def _games(problem: Problem, history: History, run: Run) -> Iterator[_Turns]:
    """Yield every game, best first, without the turns before the beam, until `run` is over."""
    # to unpack the keys of a layer, or find plays, takes far longer than to look them up
    ways_into = cache(partial(_ways_into, problem, history, cache(history.hands)))
    yielded: set[_Turns] = set()
    order = count()
    ends = history.best_first()
    end = next(ends, None)
    # states, and turns from them to the end of a game: by total score, then by age
    queue: list[tuple[int, int, Point, _Turns]] = []
    # many states may come before the first game, most of all where the beam was cut short
    while (queue or end is not None) and not run.is_over:
        while end is not None and (not queue or end.score >= -queue[0][0]):
            heapq.heappush(queue, (-end.score, next(order), end, ()))
            end = next(ends, None)
        negative_total, _age, point, turns = heapq.heappop(queue)
        if not turns and can_play(problem, history.hand_at(point)):
            continue
        if point.played == history.start.played:
            # a pair of turns that the beam played at once may also lead over a kept state
            if turns not in yielded:
                yielded.add(turns)
                yield turns
            continue
        for before, first in ways_into(point):
            gained = sum(turn.score for turn in first)
            loss = negative_total + point.score - before.score - gained
            heapq.heappush(queue, (loss, next(order), before, (*first, *turns)))


def _ways_into(
    problem: Problem, history: History, hands: Callable[[int], Hands], point: Point
) -> list[tuple[Point, _Turns]]:
    """Return kept states and the turns that lead from them to `point`.

    These are two turns where the beam has kept such a pair. `hands` returns those of a layer.
    """
    hand = history.hand_at(point)
    ways: list[tuple[Point, _Turns]] = []
    for played in layers_before(problem, hand):
        places, draws, tiles = turns_into(problem, hands(played), hand)
        plays = problem.finder.best(tiles, top=_MOST_WORDS, shortest=point.played - played)
        for place, left, words in zip(places.tolist(), draws.tolist(), plays, strict=True):
            before = history.point(played, place)
            ways += [(before, (Turn(left, *play),)) for play in words]
    pair = history.pair_into(point)
    if pair is not None:
        ways.append(pair)
    return ways
