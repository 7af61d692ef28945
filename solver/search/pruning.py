"""What makes a beam exact search: bounds that drop the states of no use."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from solver.kernels.states import Racks, States


class Pruning(Protocol):
    """Bounds in place of priorities: the most that a game through a state can score.

    Then the beam is dynamic programming over the states that are of use.
    """

    @property
    def least_useful(self) -> int:
        """The least bound of use; it may rise."""

    def raise_known(self, score: int) -> None:
        """There is a game of that score."""

    def note_dropped(self, bound: int) -> None:
        """States were dropped of which none had more than that bound."""

    def rate(self, played: int, states: States) -> None:
        """Make the priorities of states with `played` tiles played their bounds."""

    def prices(self, played: int) -> npt.NDArray[np.int64]:
        """For the expander of the racks of states with `played` tiles played: by left draws and code."""

    def priorities(self, played: int, racks: Racks) -> npt.NDArray[np.int64]:
        """Of those racks, for the expander."""

    def least(self, played: int, length: int, bound: int) -> int:
        """The least priority, to the expander, of a child whose bound may be `bound`.

        played, length: the tiles that its parent and its play have played.
        """
