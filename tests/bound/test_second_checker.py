"""The second checker of certificates, in C: it gives the verdicts of the referee."""

import hashlib
import os
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.prices import Prices
from solver.bound.sweeps.training import Trainer
from tests.bound.games import (
    TINY,
    WORDS,
    Small,
    canonical,
    claiming,
    ended,
    parsed,
    small,
    smalls,
    swept,
    text_of,
    tiny_text,
)
from tests.bound.plain import PlainCheck
from tests.bound.test_certificates import REFUSED
from tests.fuzz.mutation import mutated
from tests.needs import COMPILER, SANITIZERS, parallel
from verify.bound.verdict import judge_certificate
from verify.rules import Rules, RulesError, load_rules

pytestmark = pytest.mark.usefixtures("compiler")


SOURCE = Path(__file__).resolve().parents[2] / "verify/bound/check.c"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-stringop-overflow")


class Outcome(NamedTuple):
    """The exit code, standard output and standard error of a check."""

    code: int
    out: str
    error: str = ""


@cache
def program(few: int = 300, parts: int = 16) -> Path:
    """The compiled checker, which stops at its first overflow or access outside an array.

    It prunes only where there are `few` states, and divides the end of the row into `parts`.
    """
    folder = Path(tempfile.mkdtemp(prefix="rowdraw-check-"))
    source = SOURCE.read_text(encoding="ascii")
    for old, new in (("FEW = 300", f"FEW = {few}"), ("PARTS = 16", f"PARTS = {parts}")):
        assert source.count(old) == 1
        source = source.replace(old, new)
    (folder / "check.c").write_text(source, encoding="ascii")
    return compiled(folder, folder / "check.c", *SANITIZERS)


def compiled(folder: Path, source: Path, *options: str) -> Path:
    assert COMPILER is not None, "a test that calls this asks for the fixture `compiler`"
    command = [COMPILER, "-O1", *parallel(), *STRICT, *options, "-o", folder / "check", source]
    subprocess.run(command, check=True)
    return folder / "check"


def checked(certificate: Path | str, words: Path | str) -> Outcome:
    """The outcome of the second checker. A verdict comes alone, and so does an error."""
    # it ends before it would free its memory
    environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
    command = [program(), certificate, words]
    done = subprocess.run(command, capture_output=True, timeout=600, env=environment)
    outcome = Outcome(done.returncode, done.stdout.decode("ascii"), done.stderr.decode("latin-1"))
    is_refused = outcome.code == 2
    assert outcome.code in (0, 1, 2), outcome
    assert (bool(outcome.error), bool(outcome.out)) == (is_refused, not is_refused), outcome
    return outcome


@dataclass(frozen=True)
class Checked:
    """A folder with a list of words, to check certificates of one puzzle with both checkers.

    Attributes:
        folder: The folder.
        rules: The puzzle, as the referee has it.
    """

    folder: Path
    rules: Rules

    @classmethod
    def of(cls, folder: Path, rules: Rules, words: bytes) -> "Checked":
        """Write the list of words into a folder."""
        (folder / "words.txt").write_bytes(words)
        return cls(folder, replace(rules, name="small"))

    def second(self, certificate: bytes | str) -> Outcome:
        """The outcome of the second checker."""
        if isinstance(certificate, str):
            certificate = certificate.encode("latin-1")
        (self.folder / "c.txt").write_bytes(certificate)
        return checked(self.folder / "c.txt", self.folder / "words.txt")

    def referee(self, text: str) -> int:
        """The exit code of the referee."""
        try:
            return int(not judge_certificate(parsed(text), self.rules, "c.txt").valid)
        except RulesError:
            return 2


FILES = Path(__file__).resolve().parents[2] / "examples/certificates"
PAGE = (FILES.parents[1] / "docs/certificate.md").read_text(encoding="utf-8")
RULES = load_rules(str(FILES / "six.toml"), str(FILES / "six.txt"))
SIX = (FILES / "six.txt").read_bytes()
LISTED = canonical(WORDS)


def claim_of(text: str) -> int:
    return parsed(text).claim


def example(name: str, claim: int) -> str:
    return claiming((FILES / f"{name}.txt").read_text(encoding="ascii"), claim)


SWEEP = example("sweep", 14)


@pytest.fixture
def six(tmp_path: Path) -> Checked:
    return Checked.of(tmp_path, RULES, SIX)


@pytest.mark.parametrize(
    ("name", "claim", "verdict"),
    [
        ("r3", 18, "holds, no game scores more than 18"),
        ("sweep", 14, "holds, no game scores more than 14"),
        ("sweep", 13, "DOES NOT HOLD: claims 13, a game scores 14"),
        ("r3", 0, "DOES NOT HOLD: claims 0, a game scores 7"),
    ],
)
def test_the_examples_of_the_specification_get_their_verdicts(
    six: Checked, name: str, claim: int, verdict: str
) -> None:
    """After the verdict come the four lines of the certificate that say what was proved."""
    text = example(name, claim)
    outcome = six.second(text)
    puzzle = text.splitlines()[1:5]
    assert outcome.out.splitlines() == [f"{six.folder / 'c.txt'}: {verdict}", *puzzle]
    assert outcome.code == ("NOT" in verdict)


@given(
    game=smalls,
    name=st.sampled_from(["prices", "sweep", "sweep with foci"]),
    states=st.sampled_from([2, 20, 10_000]),
    below=st.integers(-1, 3),
)
@settings(max_examples=30)
def test_certificates_of_small_games_get_the_referee_s_verdict(
    tmp_path_factory: pytest.TempPathFactory, game: Small, name: str, states: int, below: int
) -> None:
    if name == "prices":
        text = text_of(game)
    else:
        trainer = Trainer(game.problem, fewest=1, apart=2, groups=2, rounds=2)
        text = swept(game, states, trainer if "foci" in name else None)
    points = claim_of(text)
    text = claiming(text, max(0, points - below))
    both = Checked.of(tmp_path_factory.mktemp("small"), game.rules, LISTED)
    outcome = both.second(text)
    assert outcome.code == both.referee(text)


@pytest.mark.parametrize("seed", range(24))
def test_a_sweep_keeps_the_states_that_the_specification_keeps(tmp_path: Path, seed: int) -> None:
    """A terminal shows the states of each layer, which depend on all parts of completion bounds."""
    pty = pytest.importorskip("pty")  # of Unix
    text = tiny_text(seed, longest=7)
    check = PlainCheck(parsed(text), TINY)
    (tmp_path / "words.txt").write_bytes(canonical(TINY))
    (tmp_path / "c.txt").write_text(text, encoding="ascii")
    reading, terminal = pty.openpty()
    command = [str(program(few=1, parts=1)), "c.txt", "words.txt"]
    subprocess.run(command, check=True, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=terminal)
    os.write(terminal, b"end")
    shown = b""
    while not shown.endswith(b"end"):
        shown += os.read(reading, 1000)
    os.close(reading)
    os.close(terminal)
    kept = [int(count) for count in re.findall(rb": (\d+) states", shown)]
    needs_sweep = check.bound_of_prices // 1000 > check.game.certificate.claim
    assert kept == ([len(layer) for layer in check.layers()] if needs_sweep else [])


@pytest.mark.parametrize(
    "row", ["?????????ate?z", "eatstaeoztaesot", "???aetzos?????", "aaaaaatttttteee"]
)
def test_sweeps_with_full_racks_get_the_referee_s_verdict(tmp_path: Path, row: str) -> None:
    """Leaves of eight and nine tiles, many equal tiles, and more blanks than letters."""
    game = small(row, 10, 7)
    text = swept(game, 10_000, Trainer(game.problem, fewest=1, apart=2, groups=2, rounds=2))
    both = Checked.of(tmp_path, game.rules, LISTED)
    for below in (0, 1):
        lower = claiming(text, claim_of(text) - below)
        assert both.referee(lower) == below
        assert both.second(lower).code == below


def test_a_row_of_one_tile_and_a_rack_that_is_never_full(tmp_path: Path) -> None:
    for row, rack in (("a", 2), ("?", 15), ("eat", 6), ("teaatt", 15)):
        game = small(row, rack, 3)
        assert Checked.of(tmp_path, game.rules, LISTED).second(text_of(game)).code == 0


def test_racks_above_ten_tiles_are_swept(tmp_path: Path) -> None:
    game = small("teaattsoezate", 12, 3)
    both = Checked.of(tmp_path, game.rules, LISTED)
    best = game.best
    assert best < claim_of(text_of(game))
    for below in (0, 1):
        text = claiming(text_of(game), best - below)
        assert both.referee(text) == both.second(text).code == below


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_what_the_referee_refuses_is_refused_by_number(
    six: Checked, old: str, new: str, message: str
) -> None:
    """Only the reader can refuse these files: their digests fit. It prints no control codes."""
    text = SWEEP.replace(old, new, 1)
    if old not in ("end ", "54d\n"):
        text = ended(text.rpartition("end ")[0])
    outcome = six.second(text)
    assert outcome.code == 2
    place, _, reason = outcome.error.partition(": expected ")
    assert abs(int(place.rpartition(":")[2]) - int(message.partition(":")[0])) <= 2, outcome.error
    assert reason.endswith("'\n")
    assert outcome.error[:-1].isprintable()


def test_other_files_are_refused(six: Checked) -> None:
    long = [SWEEP.replace("row eaa?at", f"row {row}") for row in ("e" * 201, "eat" * 67)]
    for text in (
        "",
        "\0",
        SWEEP + "\0",
        "\xef\xbb\xbf" + SWEEP,
        SWEEP * 2,
        SWEEP.replace("\n", "\r\n"),
        SWEEP[:-66],
        *long,
    ):
        assert six.second(text).code == 2, text[:80]


def test_mutations_never_prove_less_than_the_optimum(tmp_path: Path) -> None:
    """Whatever a file with a right digest says about prices: a verdict that holds is true."""
    game = small("zest?atseatto", 5, 7)
    text = swept(game, 10_000, Trainer(game.problem, fewest=1, apart=2, groups=2, rounds=2))
    best = claim_of(text)
    seeds = [claiming(text, claim).encode() for claim in (best, best - 1)]
    both = Checked.of(tmp_path, game.rules, LISTED)
    rng = random.Random(1)
    codes = set()
    puzzle = text.split("\n")[1:5]
    for _ in range(40):
        body = mutated(rng, seeds).rpartition(b"end ")[0].decode("latin-1")
        code = both.second(ended(body)).code
        codes.add(code)
        if body.split("\n")[1:5] == puzzle:
            assert both.referee(ended(body)) == code
            assert code or claim_of(ended(body)) >= best
    assert codes == {0, 1, 2}


def test_digests_and_words_that_differ_give_no_verdict(six: Checked) -> None:
    outcome = six.second(SWEEP.replace("claim 14", "claim 15"))
    assert outcome.code == 2
    assert "c.txt:24: expected the digest " in outcome.error
    (six.folder / "words.txt").write_bytes(SIX + b"zest\n")
    outcome = six.second(SWEEP)
    assert outcome.code == 2
    assert "c.txt:5: expected the hash of the list of words, '" in outcome.error
    assert "', not 'c9" in outcome.error


def test_word_lists_that_are_not_canonical_get_no_verdict(tmp_path: Path) -> None:
    for words in (
        b"",
        b"\n",
        SIX + b"\n",
        SIX[:-1],
        SIX.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + SIX,
        SIX.upper(),
        SIX + b"tea\n",
        b"at\ntea\neat\n",
        SIX + b"z\xc3\xa9\n",
        SIX + b"z\0\n",
        SIX + b"\0",
    ):
        outcome = Checked.of(tmp_path, RULES, words).second(SWEEP)
        assert outcome.code == 2, words
        assert re.search(r"words.txt:\d+: expected ", outcome.error)


def test_the_command_of_the_specification_prints_the_list_that_the_hash_names(
    six: Checked,
) -> None:
    """The second checker takes what the referee reads: odd ends of lines, and lines left out."""
    (command,) = re.findall(r"^python -m (verify.bound) LIST > words.txt$", PAGE, re.MULTILINE)
    text = b"\xef\xbb\xbfTEA \r\nat\t\neat\nit's\nat\0\n\ntea\nt\xc3\xa9\n"
    (six.folder / "LIST").write_bytes(text)
    module = [sys.executable, "-m", command]
    made = subprocess.run([*module, "LIST"], check=True, capture_output=True, cwd=six.folder)
    assert made.stdout == SIX
    assert load_rules(words=six.folder / "LIST").words_hash == hashlib.sha256(SIX).hexdigest()
    for wrong in (["none"], ["LIST", "LIST"]):
        refused = subprocess.run(
            [*module, *wrong], check=False, capture_output=True, cwd=six.folder
        )
        assert (refused.returncode, refused.stdout) == (2, b"")
        assert refused.stderr.count(b"\n") == 1


def test_files_that_cannot_be_read_get_no_verdict(six: Checked) -> None:
    six.second(SWEEP)
    words = six.folder / "words.txt"
    assert checked(six.folder / "c.txt", six.folder / "none").code == 2
    for certificate in (six.folder / "none", six.folder):
        assert checked(certificate, words).code == 2
    alone = subprocess.run([program()], check=False, capture_output=True, text=True)
    assert alone.returncode == 2
    assert "expected CERTIFICATE WORDS.txt" in alone.stderr


def test_a_name_cannot_control_the_terminal(six: Checked) -> None:
    for text in (SWEEP, "\x1b[31m"):
        named = six.folder / "\x1b[31mr3.txt"
        named.write_text(text, encoding="ascii")
        outcome = checked(named, six.folder / "words.txt")
        assert (outcome.out + outcome.error).replace("\n", "").isprintable()


def test_a_verdict_that_cannot_be_written_is_none(six: Checked) -> None:
    six.second(SWEEP)
    with SOURCE.open("rb") as unwritable:
        command = [program(), six.folder / "c.txt", six.folder / "words.txt"]
        done = subprocess.run(command, check=False, stdout=unwritable, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert b"the verdict cannot be written" in done.stderr


def test_too_little_memory_gives_no_verdict(tmp_path: Path) -> None:
    """A long row takes much; sanitizers would need much room for addresses."""

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (100_000_000, 100_000_000))

    game = small("eatstoaz?" * 22, 10, 3)
    both = Checked.of(tmp_path, game.rules, LISTED)
    free = replace(game, prices=Prices(0 * game.prices.tile, 0 * game.prices.leave))
    (tmp_path / "c.txt").write_text(claiming(text_of(free), 0), encoding="ascii")
    command = [compiled(tmp_path, SOURCE), tmp_path / "c.txt", both.folder / "words.txt"]
    done = subprocess.run(command, check=False, capture_output=True, preexec_fn=limit)
    assert (done.returncode, done.stdout) == (2, b"")
