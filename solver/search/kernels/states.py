"""States, racks and children as arrays, and the packing of keys and moves.

A state is all that the rest of a game depends on: the number of tiles drawn from the left, and the leave. Its key is

    rank of the leave << KEY_LEFT_BITS | left draws

For ranks see `solver.index.kernels.ranks`. The key of a rack has the same form, after the draw. A move is the step from the
parent of a state to the state. The last two terms belong to the second play where two plays make one step, and are 0 elsewhere:

    left draws | tiles played << 4 | second left draws << 8 | second tiles played << 12
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel

KEY_LEFT_BITS = 14  # enough for rows of up to 10,000 tiles
KEY_LEFT_MASK = np.uint64((1 << KEY_LEFT_BITS) - 1)


class States(NamedTuple):
    """States with the same number of tiles played; shape (n,).

    Children that are not in a layer yet have shape (reach + 1, capacity). The first index is the number of tiles that they have
    played since their parents.

    Attributes:
        key: The keys; uint64.
        priority: The priorities, in sixteenths of a point; int64.
        score: The scores, in points; int32.
        parent: The index of each parent in its layer; int32.
        move: The moves from the parents; int32.
    """

    key: npt.NDArray[np.uint64]
    priority: npt.NDArray[np.int64]
    score: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    move: npt.NDArray[np.int32]

    def at(self, chosen: Any) -> "States":
        """Return the states that `chosen` selects, an index of each array."""
        return States(self.key[chosen], self.priority[chosen], self.score[chosen], self.parent[chosen], self.move[chosen])


class DrawnRacks(NamedTuple):
    """The racks that the states of a layer can draw, before the play; shape (n,).

    Attributes:
        key: The keys after the draw; uint64.
        priority: As in `States`.
        score: As in `States`.
        parent: The index of the state that draws the rack; int32.
        left_draws: The number of tiles that this turn draws from the left; int16.
    """

    key: npt.NDArray[np.uint64]
    priority: npt.NDArray[np.int64]
    score: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    left_draws: npt.NDArray[np.int16]

    @classmethod
    def joined(cls, parts: "list[DrawnRacks]") -> "DrawnRacks":
        """Return the racks of all parts."""
        return parts[0] if len(parts) == 1 else cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def first(self, count: int) -> "DrawnRacks":
        """Return the first `count` racks."""
        return DrawnRacks(*(array[:count] for array in self))


class Children(NamedTuple):
    """The children that one thread has made and not yet moved into layers.

    Attributes:
        states: The children, by tiles played.
        count: The number of children for each number of tiles played; int64, shape (reach + 1,).
        hands: A hash table of the hands from which second plays were looked for; uint64, shape (a power of two, 4). The columns
            are key, score, order of the parent, and padding, so that no hand crosses a line of the processor's cache.
    """

    states: States
    count: npt.NDArray[np.int64]
    hands: npt.NDArray[np.uint64]


class Cutoffs(NamedTuple):
    """The least priorities that children need, in sixteenths of a point.

    Attributes:
        drawn: The number of tiles drawn before the play.
        layers: The cut-offs by number of tiles played; int64, shape (reach + 1,).
        setups: The cut-offs of first plays, by length; int64, shape (longest play + 1,).
        landings: The cut-offs after two plays, by the tiles of both; int64, shape (reach + 1,), or (0,) if no second plays are
            looked for.
    """

    drawn: int
    layers: npt.NDArray[np.int64]
    setups: npt.NDArray[np.int64]
    landings: npt.NDArray[np.int64]


class Moves(NamedTuple):
    """Unpacked moves: numbers, or arrays of them.

    Attributes:
        left: The left draws.
        length: The number of tiles played.
        second_left: The left draws before the second play; 0 for one play.
        second_length: The number of tiles of the second play; 0 for one play.
    """

    left: Any
    length: Any
    second_left: Any
    second_length: Any

    @property
    def tiles(self) -> Any:
        """The number of tiles played in all."""
        return self.length + self.second_length


def unpacked(move: Any) -> Moves:
    """Unpack a move, or an array of moves."""
    return Moves(move & 15, move >> 4 & 15, move >> 8 & 15, move >> 12)


@borrowing
def write_child(out: Children, played: int, key: np.uint64, priority: int, score: int, parent: int, move: int) -> None:
    """Add a child that has played `played` tiles since its parent. `out` must have room for it."""
    count, states = out.count, out.states
    place = count[played]
    count[played] = place + 1
    states.key[played, place] = key
    states.priority[played, place] = priority
    states.score[played, place] = score
    states.parent[played, place] = parent
    states.move[played, place] = move


@kernel
def packed_move(left: int, length: int) -> int:
    """Pack the move of one play."""
    return left | length << 4


@kernel
def packed_moves(left: int, length: int, second_left: int, second_length: int) -> int:
    """Pack the move of two plays."""
    return left | length << 4 | second_left << 8 | second_length << 12


@kernel
def packed_key(rank: np.uint64, left: np.uint64) -> np.uint64:
    """Pack the key of a leave, or of a rack."""
    return (rank << np.uint64(KEY_LEFT_BITS)) | left


@kernel
def rank_of(key: np.uint64) -> np.uint64:
    """Return the rank of the leave or rack in a key."""
    return key >> np.uint64(KEY_LEFT_BITS)


@kernel
def left_of(key: np.uint64) -> int:
    """Return the left draws in a key."""
    return np.int64(key & KEY_LEFT_MASK)


def ranks_of_keys(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Apply `rank_of` to an array of keys."""
    return keys >> np.uint64(KEY_LEFT_BITS)


def lefts_of_keys(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Apply `left_of` to an array of keys."""
    return (keys & KEY_LEFT_MASK).astype(np.int64)
