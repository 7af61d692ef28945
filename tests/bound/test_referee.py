"""The code that checks certificates makes the same of them as the plain recursion, and broken copies of either do not."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bound.figures import cases, compiled_figures, figures_of_short_rows, plain_figures

ROOT = Path(__file__).resolve().parents[2]

# the module, what is replaced, by what
BROKEN = {
    "a window covers one left draw more": ("foci", "low <= left <= high)", "low <= left <= high + 1)"),
    "a window does not widen": ("values", "min(drawn, high + drawn - first)", "min(drawn, high)"),
    "no focus need cover a state": ("foci", "some.played <= layer and some.covers(drawn, left)", "some.played <= layer"),
    "a focus covers all states of its layers": ("foci", "drawn >= self.game.window[0] and low", "low"),
    "the last draw is missing": ("values", "else after - drawn + 1\n", "else after - drawn\n"),
    "the first draw is missing": ("values", "else was + draw, game, values)", "else was + max(1, draw), game, values)"),
    "a draw from one end is missing": ("states", "0 <= from_left <= to_draw", "0 <= from_left < to_draw"),
    "a draw from the other end is missing": ("states", "0 <= from_left <= to_draw", "0 < from_left <= to_draw"),
    "the last target is missing": ("sweep", "min(rack, drawn - was) + 1)}", "min(rack, drawn - was))}"),
    "an extra turn is missing at the end": (
        "foci",
        "for held in range(1, min(rack, tiles) + 1)",
        "for held in range(1, min(rack, tiles))",
    ),
    "knots are mixed up": ("foci", "(leave[begin] * (end - moment)", "(leave[begin] * (moment - begin)"),
    "knots are rounded up": ("foci", ") // (end - begin)", " + end - begin - 1) // (end - begin)"),
    "prices end after the last knot": ("foci", "leave[knots[-1] + 1 :] = leave[knots[-1]]", "pass"),
    "sides are off by one": ("values", "(high - low + drawn - first + 1)", "(high - low + drawn - first + 2)"),
    "holds are off by one": (
        "values",
        "held * game.leave.shape[2] // game.rack]",
        "max(0, held - 1) * game.leave.shape[2] // game.rack]",
    ),
    "only one blank replaces a tile": ("values", "for blank in range(length):", "for blank in range(1):"),
    "a blank replaces the best tile": ("values", "if gain[place] < gain[worst]:", "if gain[place] > gain[worst]:"),
    "a new blank gives no letter": ("values", "turn.spare[0] = held + turn.new[BLANK_KIND]", "turn.spare[0] = held"),
    "words may need any old tiles": ("values", "if lacking > turn.spare[0]:", "if lacking > 99:"),
    "kept tiles never lose": ("values", "rise, worth = -NONE if held > 0 else 0, 0", "rise, worth = 0, 0"),
    "leaves hold the dearest tiles": ("foci", "np.argsort(game.price,", "np.argsort(-game.price,"),
    "a game of one point more is pruned": ("sweep", "(certificate.claim + 1) * POINT", "(certificate.claim + 2) * POINT"),
    "of equal states the worst is kept": (
        "states",
        "states[i] >> score != states[i + 1] >> score",
        "states[i] >> score != states[i - 1] >> score",
    ),
    "a rack has a blank less": ("sweep", 'certificate.row.count("?")', 'max(0, certificate.row.count("?") - 1)'),
    "branches are cut too early": ("plays", "+ highest < floor", "+ highest < floor + 4000"),
    "racks are dropped too early": ("sweep", "self._least - plays.most[0])", "self._least - plays.most[0] + 4000)"),
    "a digest is not compared": ("certificate", "digest == expected)", "True)"),
    "a node of r1 is a left draw short": (
        "values",
        "left = min(drawn, (node + 1) * width - 1)",
        "left = min(drawn, node * width)",
    ),
    "a turn of r1 has no draws to the right": ("values", "// width + 1].max())", "// width].max(initial=0))"),
}
PLAIN_BROKEN = {
    "a window covers one left draw more": ("low <= left <= min(drawn,", "low <= left <= 1 + min(drawn,"),
    "a draw is missing": ("range(after - drawn + 1)]", "range(after - drawn)]"),
    "knots are rounded up": (") // (end - begin)", " + end - begin - 1) // (end - begin)"),
    "sides are off by one": ("(high - low + drawn - first + 1)", "(high - low + drawn - first + 2)"),
    "holds are off by one": ("held * certificate.holds //", "max(0, held - 1) * certificate.holds //"),
    "words may need any old tiles": ("(Counter(word) - fresh).total() > held", "(Counter(word) - fresh).total() > 99 + held"),
    "kept tiles never lose": ("if held else 0\n", "if held else 0\n            rise = max(0, rise)\n"),
    "a game of one point more is pruned": ("* (self.game.certificate.claim + 1)", "* (self.game.certificate.claim + 2)"),
    "leaves hold the dearest tiles": ("if self.game.row[i] == kind)[:count]", "if self.game.row[i] == kind)[-count:]"),
}


@pytest.mark.parametrize("seeds", [range(first, first + 25) for first in range(100, 500, 25)], ids=lambda seeds: seeds.start)
def test_the_code_that_runs_and_the_plain_recursion_agree(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.bound.sweep._WORTH_A_LOOK", 0)
    for case in cases(seeds, longest=7):
        assert compiled_figures(case) == plain_figures(case)


def figures_with(folder: Path, module: str, old: str, new: str, which: str) -> object:
    """The figures of a copy of the referee in which a text is replaced; nothing is compiled."""
    for name in ("verify", "tests", "solver", "data"):
        (folder / name).mkdir()
    shutil.copytree(ROOT / "verify", folder / "verify", dirs_exist_ok=True)
    for name in ("tests/__init__.py", "tests/reference.py"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "tests/bound", folder / "tests/bound")
    (folder / "verify/bound/compiled.py").write_text('VERSION = ""\n\n\ndef compiled(function):\n    return function\n')
    path = folder / f"verify/bound/{module}.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, ''); sys.argv = ['', '{which}']; import runpy; "
               "runpy.run_module('tests.bound.figures', run_name='__main__')"]  # fmt: skip
    done = subprocess.run(command, cwd=folder, env=os.environ, capture_output=True, text=True, check=False)
    # a broken copy may also fail
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


@pytest.fixture(scope="module")
def right() -> object:
    return json.loads(json.dumps(figures_of_short_rows("plain")))


def test_an_unbroken_copy_is_right(right: object, tmp_path: Path) -> None:
    assert figures_with(tmp_path, "plain", "Counter", "Counter", "compiled") == right


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_copy_of_the_code_that_runs_is_caught(what: str, right: object, tmp_path: Path) -> None:
    assert figures_with(tmp_path, *BROKEN[what], "compiled") != right


@pytest.mark.parametrize("what", PLAIN_BROKEN)
def test_a_broken_copy_of_the_plain_recursion_is_caught(what: str, right: object, tmp_path: Path) -> None:
    assert figures_with(tmp_path, "plain", *PLAIN_BROKEN[what], "plain") != right
