"""States, racks and children as arrays, and how a key and a move are packed.

A state is what the rest of a game depends on: the tiles drawn from the left, and the leave. Its key is

    rank of the leave << LEFT_BITS | left draws

see `solver.index.kernels.ranks`; the key of a rack likewise, after the draw. A move is how a state was reached from its parent:

    left draws | tiles played << 4, and where two plays lead there at once | left draws << 8 | tiles played << 12 of the second.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel

LEFT_BITS = 14  # rows of up to 10,000 tiles
LEFT_MASK = np.uint64((1 << LEFT_BITS) - 1)


class States(NamedTuple):
    """States with as many tiles played: shape (n,).

    Children on their way to layers: shape (reach + 1, capacity), by the tiles that they have played more than their parents.

    key: uint64.
    priority: int64, in sixteenths of a point.
    score: int32, in points.
    parent: int32, the place of the parent in its layer.
    move: int32.
    """

    key: npt.NDArray[np.uint64]
    priority: npt.NDArray[np.int64]
    score: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    move: npt.NDArray[np.int32]

    def at(self, chosen: Any) -> "States":
        """Some of them: `chosen` indexes each array."""
        return States(self.key[chosen], self.priority[chosen], self.score[chosen], self.parent[chosen], self.move[chosen])


class DrawnRacks(NamedTuple):
    """The racks that the states of a layer can draw, before the play: shape (n,).

    key: uint64, after the draw.
    priority, score: as in `States`.
    parent: int32, the place of the state.
    left_draws: int16, of this turn.
    """

    key: npt.NDArray[np.uint64]
    priority: npt.NDArray[np.int64]
    score: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    left_draws: npt.NDArray[np.int16]

    @classmethod
    def joined(cls, parts: "list[DrawnRacks]") -> "DrawnRacks":
        """The racks of all parts."""
        return parts[0] if len(parts) == 1 else cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def first(self, count: int) -> "DrawnRacks":
        """So many of them."""
        return DrawnRacks(*(array[:count] for array in self))


class Children(NamedTuple):
    """What one thread has found and not yet moved into layers.

    states: by tiles played.
    count: int64, shape (reach + 1,), how many of each are filled.
    hands: uint64, shape (a power of two, 4), the hands from which second plays were looked for: key, score, order of the
        parent, and nothing, so that no hand lies across two lines of the processor's cache.
    """

    states: States
    count: npt.NDArray[np.int64]
    hands: npt.NDArray[np.uint64]


class Cutoffs(NamedTuple):
    """The least priorities that children need, in sixteenths of a point.

    drawn: tiles drawn before the play.
    layers: int64, shape (reach + 1,), by tiles played.
    setups: int64, shape (longest play + 1,), of plays after which a second one is looked for at once.
    landings: int64, by the tiles of both plays, shape (reach + 1,), or (0,) where no second play is looked for.
    """

    drawn: int
    layers: npt.NDArray[np.int64]
    setups: npt.NDArray[np.int64]
    landings: npt.NDArray[np.int64]


class Moves(NamedTuple):
    """Moves taken apart: numbers, or arrays of them.

    second_left, second_length: 0 where there was one play.
    """

    left: Any
    length: Any
    second_left: Any
    second_length: Any

    @property
    def tiles(self) -> Any:
        """How many tiles were played in all."""
        return self.length + self.second_length


def unpacked(move: Any) -> Moves:
    """A move taken apart, or an array of moves."""
    return Moves(move & 15, move >> 4 & 15, move >> 8 & 15, move >> 12)


@borrowing
def write_child(out: Children, played: int, key: np.uint64, priority: int, score: int, parent: int, move: int) -> None:
    """Add a child with so many tiles played more than its parent. There must be room for it."""
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
    """The move of one play."""
    return left | length << 4


@kernel
def packed_moves(left: int, length: int, second_left: int, second_length: int) -> int:
    """The move of two plays."""
    return left | length << 4 | second_left << 8 | second_length << 12


@kernel
def packed_key(rank: np.uint64, left: np.uint64) -> np.uint64:
    """The key of a leave, or a rack, of that rank."""
    return (rank << np.uint64(LEFT_BITS)) | left


@kernel
def rank_of(key: np.uint64) -> np.uint64:
    """The rank of a key's leave or rack."""
    return key >> np.uint64(LEFT_BITS)


@kernel
def left_of(key: np.uint64) -> int:
    """The left draws of a key."""
    return np.int64(key & LEFT_MASK)


def ranks_of_keys(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """`rank_of` many keys."""
    return keys >> np.uint64(LEFT_BITS)


def lefts_of_keys(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """`left_of` many keys."""
    return (keys & LEFT_MASK).astype(np.int64)
