"""Certificates: those of the solver hold, none below the optimum does, nor any that was changed."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.bound.sweeps.training import Trainer
from tests.bound.games import Small, claiming, ended, parsed, small, smalls, swept, text_of
from tests.process import rowdraw
from verify.bound.certificate import read_certificate
from verify.bound.verdict import BoundVerdict, judge_certificate
from verify.rules import Rules, RulesError, load_rules

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/certificates"
SIX = load_rules(str(EXAMPLES / "six.toml"), str(EXAMPLES / "six.txt"))
SWEEP = (EXAMPLES / "sweep.txt").read_text()


def judge(game: Small, text: str) -> BoundVerdict:
    return judge_certificate(parsed(text), game.rules, "c.txt")


@given(game=smalls)
@settings(max_examples=15)
def test_what_the_solver_proves_by_prices_holds(game: Small) -> None:
    verdict = judge(game, text_of(game))
    assert verdict.valid, verdict.as_text()


@given(game=smalls, states=st.sampled_from([2, 20, 10_000]), groups=st.integers(0, 3))
@settings(max_examples=25)
@example(
    game=small("s?????ee", 3, 0), states=2, groups=0
)  # two groups of left draws, too far apart to meet
def test_what_the_solver_proves_by_a_sweep_holds_and_nothing_below_the_optimum(
    game: Small, states: int, groups: int
) -> None:
    trainer = Trainer(game.problem, fewest=1, apart=2, groups=groups, rounds=3) if groups else None
    text = swept(game, states, trainer)
    verdict = judge(game, text)
    assert verdict.valid, verdict.as_text()
    assert judge(game, claiming(text, game.best)).valid
    if game.best:
        low = judge(game, claiming(text, game.best - 1))
        assert [fault.code for fault in low.violations] == ["bound-claim"]
        assert "a game scores" in low.as_text()


# what is replaced in the example of a sweep, by what, and the line and the words of the message
REFUSED = [
    ("certificate 2", "certificate 3", "1: .*expected 'rowdraw certificate 2'"),
    ("rack 3", "rack\t3", "3: .*expected a line 'rack SIZE'"),
    ("rack 3", "rack 3\0", "3: .*expected the size of a rack"),
    ("rack 3", f"rack {2**32 + 3}", "3: .*expected the size of a rack"),
    ("rack 3", "rack +3", "3: .*expected the size of a rack"),
    ("rack 3\n", "\nrack 3\n", "3: .*expected a line 'rack SIZE'"),
    ("rack 3\n", "rack 3\nrack 3\n", "4: .*expected a line 'values"),
    ("rack 3", "rack  3", "3: 'rack  3': expected a line 'rack SIZE'"),
    ("rack 3", "rack 3 ", "3: 'rack 3 ': expected a line"),
    (
        "rack 3\n",
        "rack 3\r\n",
        "3: .*expected the size of a rack, a number from 2 to 15",
    ),
    ("rack 3", "rack 03", "3: '03': expected the size of a rack"),
    (
        "rack 3",
        "rack 1",
        "3: '1': expected the size of a rack, a number from 2 to 15",
    ),
    ("row eaa?at", "row Eaa?at", "2: .*expected 1 to 200 tiles"),
    ("values 1 0", "values 1", "4: .*and 26 numbers"),
    (
        "values 1 0",
        "values 1001 0",
        "4: '1001': expected the points of a letter",
    ),
    ("words c9", "words 9", "5: .*64 digits"),
    ("claim 14", "claim 14.5", "6: '14.5': expected whole points"),
    ("claim 14", "claim -1", "6: '-1': expected whole points"),
    (
        "claim 14",
        "claim 1000000000",
        "6: '1000000000': expected whole points",
    ),
    (
        "claim 14",
        "claim 900001",
        "6: '900001': expected whole points, a number from 0 to 900000",
    ),
    (
        "relaxation r3 2 2",
        "relaxation r2 2 2",
        "7: 'r2': expected 'r3'",
    ),
    (
        "relaxation r3 2 2",
        "relaxation r3 5 2",
        "7: '5': expected a number of sides or holds",
    ),
    (
        "focus 0 0 0 0",
        "focus 0 0 0 1",
        "8: '1': expected the focus of the whole game",
    ),
    ("tiles 1740 3466", "tiles 1740", "9: .*and 6 prices"),
    ("tiles 1740", "tiles 1 1740", "9: .*and 6 prices"),
    ("tiles 1740", "tiles 100000001", "9: '100000001': expected a price"),
    (
        "knots 3 7",
        "knots 7 3",
        "20: '7 3': expected one or more moments, strictly ascending",
    ),
    (
        "knots 3 7",
        "knots 3 10",
        "20: '10': expected a moment, a number from 0 to 9",
    ),
    (
        "leave 7 0 0 t 333",
        "leave 6 0 0 t 333",
        "22: '6': expected a moment that is a knot",
    ),
    (
        "leave 7 0 0 t 333",
        "leave 7 2 0 t 333",
        "22: '2': expected a side, a number from 0 to 1",
    ),
    (
        "leave 7 0 1 t 250",
        "leave 7 0 0 t 250",
        "23: '7 0 0': expected moment, side and hold after",
    ),
    ("a 1860 t 639", "t 639 a 1860", "12: 'a': expected a to z and then"),
    ("leave 7 0 0 t 333", "leave 7 0 0 t", "22: .*pairs KIND PRICE"),
    ("leave 7 0 0 t 333", "leave 7 0 0", "22: .*pairs KIND PRICE"),
    (
        "focus 2 3 0 1",
        "focus 2 2 0 1",
        "18: '2': expected tiles drawn, a number from 3 to 6",
    ),
    (
        "focus 2 3 0 1",
        "focus 2 3 2 1",
        "18: '1': expected left draws, a number from 2 to 6",
    ),
    (
        "knots 3 7",
        "notes 3 7",
        "20: 'notes': expected a line 'knots MOMENTS'",
    ),
    (
        "knots 3 7",
        "\x1b[31m 3 7",
        r"20: '\\x1b\[31m': expected a line 'knots MOMENTS'",
    ),
    ("end ", "ends ", "24: 'ends': expected a line 'end DIGEST'"),
    (
        "54d\n",
        "54d\nmore\n",
        "25: 'more': expected nothing after the line 'end'",
    ),
    ("54d\n", "54d", "24: .*expected a line feed at its end"),
]


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_a_wrong_line_is_refused_by_its_number_and_with_what_was_expected(
    old: str, new: str, message: str
) -> None:
    assert old in SWEEP
    with pytest.raises(RulesError, match=f"^c.txt:{message}"):
        parsed(SWEEP.replace(old, new, 1))


def test_a_truncated_certificate_is_refused() -> None:
    for length in (*range(0, len(SWEEP), 97), len(SWEEP) - 2):
        with pytest.raises(RulesError, match=r"^c.txt:\d+: .*expected"):
            parsed(SWEEP[:length])


@given(content=st.binary(max_size=60))
def test_bytes_at_random_are_refused(content: bytes) -> None:
    for begin in (b"", b"rowdraw certificate 2\n"):
        with pytest.raises(RulesError, match="expected"):
            read_certificate(begin + content, "c.txt")


def test_rows_and_numbers_of_foci_beyond_the_limits_are_refused() -> None:
    with pytest.raises(RulesError, match=r"c.txt:2: .*expected 1 to 200 tiles"):
        parsed(SWEEP.replace("row eaa?at", f"row {'eaa?at' * 40}"))
    first, second = SWEEP.partition("end ")[0].split("focus 2")
    most = first + 199 * f"focus 2{second}"
    assert len(parsed(ended(most)).foci) == 200
    with pytest.raises(RulesError, match=r"expected at most 200 foci"):
        parsed(ended(f"{most}focus 2{second}"))


def with_lines(text: str, old: str, new: str) -> str:
    assert old in text
    return ended(text.replace(old, new).rpartition("end ")[0])


# a change of an example, and the codes of the faults of the changed certificate
CHANGED: dict[str, tuple[str, list[str]]] = {
    "nothing": (SWEEP, []),
    "a claim above the bound of its prices": (claiming(SWEEP, 18), []),
    "a claim above the best score": (claiming(SWEEP, 15), []),
    "a claim below the best score": (claiming(SWEEP, 13), ["bound-claim"]),
    "a claim of 0": (claiming(SWEEP, 0), ["bound-claim"]),
    "a price, signed": (with_lines(SWEEP, "tiles 1740", "tiles 1741"), []),
    "no second focus": (ended(SWEEP[: SWEEP.index("focus 2")]), []),
}


@pytest.mark.parametrize("what", CHANGED)
def test_a_changed_certificate_holds_if_and_only_if_it_proves_its_claim(what: str) -> None:
    text, codes = CHANGED[what]
    verdict = judge_certificate(parsed(text), SIX, "c.txt")
    assert [fault.code for fault in verdict.violations] == codes
    assert verdict.as_text().startswith("c.txt: DOES NOT HOLD" if codes else "c.txt: holds")
    assert verdict.as_json()["row"] == "eaa?at"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("row eaa?at", "row eaa?aa", "the certificate is of another puzzle, .* its row"),
        ("values 1", "values 2", "the certificate is of another puzzle, .* its values"),
        ("words c9", "words 99", "the words of six have the hash c9"),
    ],
)
def test_a_certificate_of_another_puzzle_is_not_proven(old: str, new: str, reason: str) -> None:
    with pytest.raises(RulesError, match=f"^c.txt: NOT PROVEN on .*: {reason}"):
        judge_certificate(parsed(with_lines(SWEEP, old, new)), SIX, "c.txt")


def test_a_certificate_that_was_changed_cannot_be_read() -> None:
    with pytest.raises(RulesError, match=r"^c.txt:24: .*expected [0-9a-f]{64}, the SHA-256 of all"):
        parsed(SWEEP.replace("tiles 1740", "tiles 1741"))


def test_a_sweep_that_takes_too_much_room_gives_no_verdict() -> None:
    long = replace(
        SIX,
        words=frozenset(f"{'a' * 12}{a}{b}{c}" for a, b, c in product(ascii_lowercase, repeat=3)),
    )
    assert _swept("a" * 20 + "?" * 15, 15, 0, 0, long) == "575,930,368 ways to lay down a word"


def _swept(row: str, rack: int, value: int, claim: int, rules: Rules) -> str:
    """Return why a sweep is refused, from prices that are far too high to prove the claim."""
    values = " ".join([str(value)] * 26)
    puzzle = (
        f"rowdraw certificate 2\nrow {row}\nrack {rack}\nvalues {values}\n"
        f"words {rules.words_hash}\nclaim {claim}\n"
    )
    prices = (
        f"relaxation r3 1 1\nfocus 0 0 0 0\ntiles {' '.join(['90000000'] * len(row))}\nknots 0\n"
    )
    rules = replace(rules, row=row, rack_size=rack, values=dict.fromkeys(ascii_lowercase, value))
    message = "c.txt: the sweep takes more room than there is: "
    with pytest.raises(RulesError, match=message) as refused:
        judge_certificate(parsed(ended(puzzle + prices)), rules, "c.txt")
    return str(refused.value).removeprefix(message)


def test_the_command_names_the_bundled_puzzle_of_a_certificate_with_other_words(
    tmp_path: Path,
) -> None:
    values = " ".join(str(load_rules().values[letter]) for letter in ascii_lowercase)
    text = (
        f"rowdraw certificate 2\nrow {load_rules().row}\nrack 10\nvalues {values}\n"
        f"words {SIX.words_hash}\nclaim 100000\nrelaxation r3 1 1\nfocus 0 0 0 0\n"
        f"tiles {'0 ' * 99}0\nknots 0\n"
    )
    (tmp_path / "c.txt").write_text(ended(text))
    command = ("verify", "c.txt", "--words", str(EXAMPLES / "six.txt"))
    done = rowdraw(*command, cwd=tmp_path)
    assert done.stdout.startswith("c.txt: holds, no game on challenge, with the words of ")
    other = rowdraw(*command, "--puzzle", "shuffled-01", cwd=tmp_path, code=2)
    assert "c.txt: NOT PROVEN on shuffled-01" in other.stderr
    assert "another puzzle, which differs in its row" in other.stderr
