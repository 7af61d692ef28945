"""The page that specifies certificates has the examples of the folder, with their figures."""

from pathlib import Path

from tests.bound.plain import PlainCheck, PlainGame, State
from verify.bound.certificate import read_certificate

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/certificates"
WORDS = (EXAMPLES / "six.txt").read_text().split()


def check_of(name: str) -> PlainCheck:
    return PlainCheck(read_certificate((EXAMPLES / name).read_bytes(), name), WORDS)


class Recorded(PlainCheck):
    """A check that notes each state that its sweep meets, its bounds, and whether it is kept."""

    def _is_open(self, played: int, state: State, score: int) -> bool:
        is_open = super()._is_open(played, state, score)
        left, leave = state
        bounds = " ".join(map(str, self.bounds(played, state, score)))
        self.met.append(
            f"{played} {left} {leave or '-'} {score}  {bounds}  {'kept' if is_open else 'pruned'}"
        )
        return is_open

    def states(self) -> list[str]:
        """A line for each state."""
        self.met: list[str] = []
        assert self.best() == self.game.certificate.claim
        return self.met


def figures() -> str:
    """The values of all relaxed games of the examples, as `figures.txt` has them."""
    r1 = read_certificate((EXAMPLES / "r1.txt").read_bytes(), "r1.txt")
    lines = [f"r1.txt: the bound of the prices is {PlainGame(r1, WORDS).free_bound()}"]
    for name in ("r3.txt", "sweep.txt"):
        check = check_of(name)
        lines.append(f"{name}: the bound of the prices is {check.bound_of_prices}")
        for number, focus in enumerate(check.foci, start=1):
            if (name, number) == ("sweep.txt", 1):
                continue  # the same as in r3.txt
            lines.append(f"{name}: focus {number}: D, l, and F for m = 0, 1, ...")
            for drawn in range(3, 7):
                lefts = [
                    left
                    for left in range(drawn + 1 if drawn < 6 else 1)
                    if focus.covers(drawn, left)
                ]
                for left in lefts:
                    held = range(4 if drawn == 6 else 3)
                    lines.append(
                        " ".join(
                            map(
                                str,
                                [drawn, left, "", *(focus.value((drawn, left, m)) for m in held)],
                            )
                        )
                    )
    lines.append(
        "sweep.txt: knots of the second focus: moment, and the prices of a and t on side 0, hold 1"
    )
    focus = check_of("sweep.txt").foci[1]
    lines += [
        f"{moment}  {focus._at(moment, 0, 1)['a']} {focus._at(moment, 0, 1)['t']}"
        for moment in range(10)
    ]
    lines.append(
        "sweep.txt: the states met: p, l, leave, score, the bounds of the foci that cover it"
    )
    lines += Recorded(
        read_certificate((EXAMPLES / "sweep.txt").read_bytes(), "sweep.txt"), WORDS
    ).states()
    return "".join(f"{line}\n" for line in lines)


def test_the_figures_of_the_examples_are_right() -> None:
    assert (EXAMPLES / "figures.txt").read_text() == figures()
