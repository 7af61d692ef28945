"""Sweeps: dynamic programming over the states of the real game that bounds do not rule out.

The relaxed games of r3 forget what a leave holds. A sweep forgets nothing: it plays all games from
the start, layer by layer. It keeps every state whose completion bound is at least the claim + 1. If
no state is left at the end, no game scores more than the claim. A layer has a limit on its number
of states. It keeps those with the highest bounds, and the claim rises to the highest bound of a
dropped state. So every complete sweep proves a bound, and the more states it may keep, the lower
the bound. A layer is a number of tiles played.

When a layer holds many states, the sweep trains prices for them (`solver.bound.sweeps.training`),
and drops the states that the new bounds rule out before it expands them. States are sorted numbers
(`solver.bound.kernels.packed_states`): equal ones meet in one partition of their layer, and each
partition is a task (`solver.bound.sweeps.tasks`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from solver.bound.kernels.packed_states import (
    PART_BITS,
    Packed,
    leaves_of,
    packed,
    packed_left,
    packed_score,
    unpack_lefts,
    unpack_scores,
)
from solver.bound.sweeps.tasks import (
    Crew,
    Partition,
    StoppedError,
    Task,
    TaskResult,
    draw,
    expand,
    settle,
    sift,
)
from solver.bound.sweeps.training import Trainer
from solver.index.kernels.indexes import OFFSET
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import POINT, Counts
from solver.search.greedy import Hand, Hands, layers_before, turn_of, turns_into
from solver.search.run import Run

_PARTITION = 20_000  # a layer with fewer children is one partition
Kept = Callable[[int], list[Packed]]  # returns the states of a layer, in arrays


@dataclass
class Tally:
    """The progress of a sweep.

    Attributes:
        claim: the score in points that games must exceed to matter.
        layer: the current layer, in tiles played.
        ready: whether the states of the current layer are made and stored.
        parts: the number of partitions of the current layer.
        racks: the number of racks expanded in all.
        states: the number of states that each layer has kept.
    """

    claim: int
    layer: int = 0
    ready: bool = False
    parts: int = 1
    racks: int = 0
    states: dict[int, int] = field(default_factory=dict)

    @property
    def least(self) -> int:
        """The lowest completion bound of a useful state, in thousandths of a point."""
        return (self.claim + 1) * POINT


class Sweep:
    """A sweep over all games that may score more than a claim; it offers better ones to the run."""

    def __init__(self, run: Run, crew: Crew, trainer: Trainer) -> None:
        self._run = run
        self._crew = crew
        self._trainer = trainer
        self._bench = crew.bench
        self._states = partial(crew.bench.store.chunks, "states")  # of a layer

    def play(self, tally: Tally, most: int, keep: Callable[[], None], label: str) -> bool:
        """Play all games that may score more than the tally's claim, from its layer on.

        The tally is updated. A better game raises the claim, and so do states dropped because a
        layer holds more than `most`. `keep` is called when the states of a layer are ready, and
        when they have been expanded. `label` names the sweep in reports of progress.

        Returns:
            False if the run was over first.
        """
        store = self._bench.store
        tiles = len(self._bench.problem.puzzle.row)
        if tally.layer == 0 and not tally.ready:
            store.put("children", 0, 0, 0, np.array([packed(OFFSET[0], 0, 0)], np.uint64))
        try:
            while tally.layer <= tiles:
                layer = tally.layer
                if not tally.ready:
                    self._settle(tally, most)
                    tally.ready = True
                    keep()
                count = tally.states[layer]
                if count and layer < tiles:
                    self._expand(tally)
                tally.layer += 1
                tally.ready = False
                keep()
                for kind in ("children", "racks"):
                    store.drop(kind, layer)
                self._run.report(label, layer, tiles, f"{count:,} states, {tally.racks:,} racks")
        except StoppedError:
            return False
        return True

    def _settle(self, tally: Tally, most: int) -> None:
        """Make the states of the layer, and train prices for them if that may pay off."""
        layer = tally.layer
        claim = tally.claim
        parts = 1 << (self._bench.store.count("children", layer) // _PARTITION).bit_length()
        tally.parts = min(1 << PART_BITS, parts)
        best, counts = zip(*self._each(settle, tally), strict=True)
        self._note_game(np.concatenate(best), tally)
        # by whole points of their bounds, the number of states
        at_bound = np.zeros(max(map(len, counts)), np.int64)
        for of_part in counts:
            at_bound[: len(of_part)] += of_part
        count = int(at_bound.sum())
        if count > most:
            # the highest bound of a state to drop
            dropped = np.searchsorted(np.cumsum(at_bound), count - most)
            tally.claim = max(tally.claim, int(dropped))
        if tally.claim > claim:
            count = sum(self._each(sift, tally))
        outlooks = self._bench.outlooks
        if self._trainer.train(self._run, outlooks, layer, count, tally.least, self._states):
            count = sum(self._each(sift, tally))
        tally.states[layer] = count

    def _note_game(self, states: Packed, tally: Tally) -> None:
        """Raise the claim to the score of the best of these states; offer its game to the run."""
        if not len(states):
            return
        state = states[np.argmax(unpack_scores(states))]
        score = packed_score(state)
        tally.claim = max(tally.claim, score)
        if score > self._run.incumbent.score:
            turns = turns_to(self._bench.problem, self._states, tally.layer, state)
            self._run.offer(Solution(turns))

    def _expand(self, tally: Tally) -> None:
        """Make all draws and plays from the layer's states."""
        list(self._each(draw, tally))
        for racks in self._each(expand, tally):
            tally.racks += racks
            self._run.racks += racks

    def _each(self, task: Task[TaskResult], tally: Tally) -> Iterator[TaskResult]:
        partitions = [
            Partition(tally.layer, number, tally.parts, tally.least)
            for number in range(tally.parts)
        ]
        return self._crew.each(self._run, task, partitions)


def turns_to(problem: Problem, kept: Kept, played: int, state: np.uint64) -> tuple[Turn, ...]:
    """Return the turns that lead to a packed state after `played` tiles.

    `kept` returns the states of an earlier layer.
    """
    moves: list[tuple[int, Counts]] = []
    while played > 0:
        played, state, left, tiles = _parent(problem, kept, played, state)
        moves.append((left, tiles))
    hand = Hand.at_start()
    turns = []
    for left, tiles in reversed(moves):
        turn, hand = turn_of(problem, hand, left, tiles)
        turns.append(turn)
    return tuple(turns)


def _parent(
    problem: Problem, kept: Kept, played: int, state: np.uint64
) -> tuple[int, np.uint64, int, Counts]:
    """Return a turn that leads to `state`.

    Returns:
        The tiles played before it, the state then, its left draws, and the tiles it plays.
    """
    score = packed_score(state)
    left = packed_left(state)
    leave = leaves_of(np.array([state]))[0]
    hand = Hand(left, played + int(leave.sum()) - left, leave)
    for before in layers_before(problem, hand):
        for states in kept(before):
            hands = Hands.of(problem.puzzle, before, unpack_lefts(states), leaves_of(states))
            places, draws, tiles = turns_into(problem, hands, hand)
            plays = problem.finder.best(tiles, shortest=played - before)
            for place, taken, rest, best in zip(places, draws.tolist(), tiles, plays, strict=True):
                if best and packed_score(states[place]) + best[0].score == score:
                    return before, states[place], taken, rest
    raise AssertionError(
        f"no state kept leads to one with {played} tiles played and {score} points"
    )
