"""The page that specifies certificates has the examples of the folder, with their figures."""

from collections.abc import Iterable
from itertools import product
from pathlib import Path

from tests.bound.plain import PlainCheck, State
from verify.bound.certificate import read_certificate

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/certificates"
WORDS = (EXAMPLES / "six.txt").read_text().split()


class Recorded(PlainCheck):
    """A check that notes each state that its sweep meets, its bounds, and whether it is kept."""

    def __init__(self, name: str) -> None:
        super().__init__(read_certificate((EXAMPLES / name).read_bytes(), name), WORDS)
        self.met: list[str] = []

    def _is_open(self, played: int, state: State, score: int) -> bool:
        is_open = super()._is_open(played, state, score)
        bounds = joined(self.bounds(played, state, score))
        fate = "kept" if is_open else "pruned"
        self.met.append(f"{played} {state[0]} {state[1] or '-'} {score}  {bounds}  {fate}")
        return is_open


def joined(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def figures() -> str:
    """The values of all relaxed games of the examples, as `figures.txt` has them."""
    lines = []
    sweep = Recorded("sweep.txt")
    # the first focus of the sweep is the one of r3.txt
    for name, check, number in (("r3.txt", Recorded("r3.txt"), 1), ("sweep.txt", sweep, 2)):
        focus = check.foci[number - 1]
        lines.append(f"{name}: the bound of the prices is {check.bound_of_prices}")
        lines.append(f"{name}: focus {number}: D, l, and F for m = 0, 1, ...")
        for drawn, left in product(range(3, 7), range(6)):
            if (drawn == 6 and left) or not focus.covers(drawn, left):
                continue
            held = range(4 if drawn == 6 else 3)
            values = joined(focus.value((drawn, left, m)) for m in held)
            lines.append(f"{drawn} {left}  {values}")
    lines.append(
        "sweep.txt: knots of the second focus: moment, and the prices of a and t on side 0, hold 1"
    )
    for moment in range(10):
        prices = sweep.foci[1]._at(moment, 0, 1)
        lines.append(f"{moment}  {prices['a']} {prices['t']}")
    lines.append(
        "sweep.txt: the states met: p, l, leave, score, the bounds of the foci that cover it"
    )
    assert sweep.best() == sweep.game.certificate.claim
    return "".join(f"{line}\n" for line in lines + sweep.met)


def test_the_figures_of_the_examples_are_right() -> None:
    assert (EXAMPLES / "figures.txt").read_text() == figures()
