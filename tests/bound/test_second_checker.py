"""The second checker of certificates, in C: it gives the referee's verdicts, and refuses all but the format."""

import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.relaxations.prices import Prices
from solver.bound.schedule import RELAXATIONS
from solver.bound.sweeps.training import Trainer
from tests.bound.games import WORDS, Small, small, smalls
from tests.bound.proofs import swept, text_of
from tests.bound.second import SOURCE, STRICT, Checked, checked, program, sealed
from tests.bound.tiny import VALUES, claiming, tiny_text
from tests.bound.tiny import WORDS as TINY
from tests.fuzz.mutation import mutated
from tests.needs import COMPILER
from tests.reference import optimum
from verify.bound.certificate import read_certificate
from verify.rules import Rules, load_rules

pytestmark = pytest.mark.usefixtures("compiler")


def canonical(words: list[str]) -> bytes:
    """The list of words that the second checker takes."""
    return "".join(f"{word}\n" for word in sorted({*words})).encode()


FILES = Path(__file__).resolve().parents[2] / "examples/certificates"
PAGE = (FILES.parents[1] / "docs/certificate.md").read_text(encoding="utf-8")
RULES = load_rules(str(FILES / "six.toml"), str(FILES / "six.txt"))
SIX = (FILES / "six.txt").read_bytes()
LISTED = canonical(WORDS)


def claim_of(text: str) -> int:
    return read_certificate(text.encode(), "c.txt").claim


def example(name: str, claim: int) -> str:
    return claiming((FILES / f"{name}.txt").read_text(encoding="ascii"), claim)


SWEEP = example("sweep", 14)


@pytest.fixture
def six(tmp_path: Path) -> Checked:
    return Checked.of(tmp_path, RULES, SIX)


@pytest.mark.parametrize(
    ("name", "claim", "verdict"),
    [
        ("r1", 24, "holds, no game scores more than 24"),
        ("r1", 23, "DOES NOT HOLD: claims 23, its prices give 24"),
        ("r3", 18, "holds, no game scores more than 18"),
        ("sweep", 14, "holds, no game scores more than 14"),
        ("sweep", 13, "DOES NOT HOLD: claims 13, a game scores 14"),
        ("r3", 0, "DOES NOT HOLD: claims 0, a game scores 7"),
    ],
)
def test_the_examples_of_the_specification_get_their_verdicts(six: Checked, name: str, claim: int, verdict: str) -> None:
    """After the verdict come the four lines of the certificate that say what was proved."""
    text = example(name, claim)
    outcome = six.second(text)
    puzzle = "".join(f"{line}\n" for line in text.split("\n")[1:5])
    assert outcome.out == f"{six.folder / 'c.txt'}: {verdict}\n{puzzle}"
    assert outcome.code == ("NOT" in verdict)


@given(game=smalls, name=st.sampled_from(RELAXATIONS), below=st.integers(-1, 1))
@settings(max_examples=25, deadline=None)
def test_bounds_of_small_games_hold_from_their_points_on(
    tmp_path_factory: pytest.TempPathFactory, game: Small, name: str, below: int
) -> None:
    text = text_of(game, name)
    points = claim_of(text)
    both = Checked.of(tmp_path_factory.mktemp("small"), game.rules, LISTED)
    lower = claiming(text, max(0, points - below))
    outcome = both.second(lower)
    assert outcome.code == both.referee(lower)
    if name == "r1" and outcome.code:
        assert f"its prices give {points}" in outcome.out


@pytest.mark.parametrize("seed", range(15))
def test_nodes_of_several_states_give_the_referee_s_bound(tmp_path: Path, seed: int) -> None:
    """The bound of r1 with several states in a node, found by its claim 0."""
    text = tiny_text(seed, "r1", 0)
    stated = read_certificate(text.encode(), "c.txt")
    both = Checked.of(tmp_path, Rules(stated.row, stated.rack, VALUES, frozenset(TINY)), canonical(TINY))
    outcome = both.second(text)
    points = int(outcome.out.splitlines()[0].rpartition(" ")[2]) if outcome.code else 0
    assert both.referee(claiming(text, points)) == 0
    assert points == 0 or both.referee(claiming(text, points - 1)) == 1


@given(game=smalls, states=st.sampled_from([2, 20, 10_000]), foci=st.booleans(), below=st.integers(0, 3))
@settings(max_examples=30, deadline=None)
def test_sweeps_of_small_games_get_the_referee_s_verdict(
    tmp_path_factory: pytest.TempPathFactory, game: Small, states: int, foci: bool, below: int
) -> None:
    trainer = Trainer(game.problem, least=1, apart=2, groups=2, rounds=2) if foci else None
    text = swept(game, states, trainer)
    text = claiming(text, max(0, claim_of(text) - below))
    both = Checked.of(tmp_path_factory.mktemp("small"), game.rules, LISTED)
    assert both.second(text).code == both.referee(text)


@pytest.mark.parametrize("row", ["?????????ate?z", "eatstaeoztaesot", "???aetzos?????", "aaaaaatttttteee"])
def test_sweeps_with_full_racks_get_the_referee_s_verdict(tmp_path: Path, row: str) -> None:
    """Leaves of eight and nine tiles, many equal tiles, and more blanks than letters."""
    game = small(row, 10, 7)
    text = swept(game, 10_000, Trainer(game.problem, least=1, apart=2, groups=2, rounds=2))
    both = Checked.of(tmp_path, game.rules, LISTED)
    for below in (0, 1):
        lower = claiming(text, claim_of(text) - below)
        assert both.referee(lower) == below
        assert both.second(lower).code == below


def test_a_row_of_one_tile_and_a_rack_that_is_never_full(tmp_path: Path) -> None:
    for row, rack in (("a", 2), ("?", 15), ("eat", 6), ("teaatt", 15)):
        game = small(row, rack, 3)
        for name in RELAXATIONS:
            assert Checked.of(tmp_path, game.rules, LISTED).second(text_of(game, name)).code == 0


def test_racks_above_ten_tiles_are_swept(tmp_path: Path) -> None:
    game = small("teaattsoezate", 12, 3)
    both = Checked.of(tmp_path, game.rules, LISTED)
    best = optimum(game.rules.row, 12, WORDS, dict(game.rules.values))
    assert best < claim_of(text_of(game, "r3"))
    for below in (0, 1):
        text = claiming(text_of(game, "r3"), best - below)
        assert both.referee(text) == both.second(text).code == below


def changes(line: str) -> list[str]:
    """Lines that the format does not have in place of one."""
    word, _, rest = line.partition(" ")
    return [
        "", f"{line} ", f" {line}", f"{line}\r", f"{line}\t", line.replace(" ", "  ", 1), line.replace(" ", "\t", 1),
        f"{line} 1000", word, f"{word} ", f"{word}x {rest}", f"{word.upper()} {rest}", f"\x1b[31m{line}",
        f"{line}\x00", f"\x00{line}",
        f"{line}\x9b31m", f"{word} -1", f"{word} +1", f"{word} 01", f"{word} 1.0", f"{word} 1e1", f"{word} 0x1",
        f"{word} {2**31}",
        f"{word} {2**32 + 3}", f"{word} {'9' * 40}", f"{line}\n{line}", f"{line}\n", f"{line}\nnote 1",
    ]  # fmt: skip


LINES = sorted({line.partition(" ")[0]: number for number, line in reversed(list(enumerate(SWEEP.splitlines())))}.items())


@pytest.mark.parametrize(("word", "number"), LINES, ids=[word for word, _number in LINES])
def test_lines_of_another_form_are_refused_by_number(six: Checked, word: str, number: int) -> None:
    """Each file has the digest that belongs to it, so only the reader can refuse it; no control character is printed."""
    lines = SWEEP.splitlines()
    for changed in changes(lines[number]):
        if word == "leave" and changed in ("", f"{lines[number]}\n"):
            continue
        text = "\n".join((*lines[:number], changed, *lines[number + 1 :])) + "\n"
        body = text if word == "end" else sealed(text.rpartition("end ")[0])
        outcome = six.second(body)
        assert outcome.code == 2, changed
        place, _, reason = outcome.error.partition(": expected ")
        assert abs(int(place.rpartition(":")[2]) - number - 1) <= 2, outcome.error
        assert reason.endswith("'\n")
        assert outcome.error[:-1].isprintable()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rack 3\n", "rack 1\n"), ("rack 3\n", "rack 16\n"), ("row eaa?at", "row eAa?at"),
        ("row eaa?at", "row " + "e" * 10_001), ("values 1 ", "values 1001 "), ("values 1 ", "values "), ("r3 2 2",
        "r3 0 2"), ("r3 2 2", "r3 2 17"),
        ("r3 2 2", "r2 2 2"),
        ("r3 2 2", "r1 0"), ("r3 2 2", "r1 7"), ("focus 0 0 0 0", "focus 1 0 0 0"), ("focus 2 3 0 1", "focus 2 2 0 1"),
        ("focus 2 3 0 1", "focus 7 3 0 1"), ("focus 2 3 0 1", "focus 2 3 2 1"), ("focus 2 3 0 1", "focus 2 3 0 7"),
        ("tiles 2000 ", "tiles 100000001 "), ("knots 3 7", "knots 3 3"), ("knots 3 7", "knots 7 3"),
        ("knots 3 7", "knots 3 10"),
        ("leave 7 0 0 t", "leave 6 0 0 t"), ("leave 7 0 0 t", "leave 3 0 0 t"), ("leave 7 0 0 t 333", "leave 7 0 0 t 333 a 1"),
        ("leave 7 0 0 t 333", "leave 7 0 0 t 333 t 1"), ("leave 7 0 0 t 333", "leave 7 0 0 ? 1 t 333"),
        ("leave 7 0 0 t", "leave 7 2 0 t"),
        ("leave 7 0 0 t", "leave 7 0 2 t"), ("leave 7 0 0 t", "leave 7 0 0 tt"), ("leave 7 0 0 t", "leave 7 0 0 A"),
        ("claim 14", "claim 1000000000"), ("certificate 2\n", "certificate 3\n"), ("certificate 2\n", "certificate 2\r\n"),
        ("row eaa?at", "row " + "eat" * 67),
    ],
)  # fmt: skip
def test_values_out_of_range_are_refused(six: Checked, old: str, new: str) -> None:
    assert old in SWEEP
    outcome = six.second(sealed(SWEEP.replace(old, new).rpartition("end ")[0]))
    assert outcome.code == 2
    assert ": expected " in outcome.error


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\0",
        "rowdraw",
        SWEEP[:-1],
        SWEEP + "\n",
        SWEEP + "\0",
        "\xef\xbb\xbf" + SWEEP,
        SWEEP * 2,
        SWEEP.replace("\n", "\r\n"),
        SWEEP.replace("\n", " "),
        SWEEP.rpartition("end ")[0],
        SWEEP[:-66],
        SWEEP[:-65].upper() + SWEEP[-65:],
    ],
)
def test_other_files_are_refused(six: Checked, text: str) -> None:
    assert six.second(text).code == 2


def test_no_changed_byte_leaves_a_verdict_that_holds(six: Checked) -> None:
    """A byte that is deleted, doubled, replaced or swapped gives a digest that differs, or a file of another form."""
    rng = random.Random(5)
    content = SWEEP.encode()
    codes = set()
    for _ in range(120):
        at = rng.randrange(len(content) - 1)
        one, other = content[at : at + 1], content[at + 1 : at + 2]
        put = rng.choice((b"", one + one, other + one, bytes([rng.randrange(256)]), b"9", b"0", b"\n", b" ", b"\0"))
        width = 2 if put == other + one else 1
        changed = content[:at] + put + content[at + width :]
        codes.add(six.second(changed).code if changed != content else 1)
    assert codes == {1, 2}


def test_mutations_never_prove_less_than_the_optimum(tmp_path: Path) -> None:
    """Whatever a file with a right digest says about prices: a verdict that holds is true."""
    game = small("zest?atseatto", 5, 7)
    text = swept(game, 10_000, Trainer(game.problem, least=1, apart=2, groups=2, rounds=2))
    best = claim_of(text)
    seeds = [claiming(text, claim).encode() for claim in (best, best - 1)]
    both, rng, codes = Checked.of(tmp_path, game.rules, LISTED), random.Random(1), set()
    puzzle = seeds[0].split(b"\n")[1:5]
    for _ in range(120):
        body = mutated(rng, seeds).rpartition(b"end ")[0].decode("latin-1")
        outcome = both.second(sealed(body))
        codes.add(outcome.code)
        lines = body.encode("latin-1").split(b"\n")
        if outcome.code == 0 and lines[1:5] == puzzle:
            assert int(lines[5].split()[1]) >= best
    assert codes == {0, 1, 2}


def test_digests_and_words_that_differ_are_faults(six: Checked) -> None:
    outcome = six.second(SWEEP.replace("claim 14", "claim 15"))
    assert outcome.code == 1
    assert "the digest is" in outcome.out
    (six.folder / "words.txt").write_bytes(SIX + b"zest\n")
    outcome = six.second(SWEEP)
    assert outcome.code == 1
    assert "the hash of the words is" in outcome.out


def test_old_certificates_are_refused_with_the_command_that_converts_them(six: Checked) -> None:
    outcome = six.second('{\n"certificate": "rowdraw bound"\n}\n')
    assert outcome.code == 2
    assert "python tools/certificates.py OLD.json -o NEW.txt" in outcome.error


@pytest.mark.parametrize(
    "words",
    [
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
    ],
)
def test_word_lists_that_are_not_canonical_get_no_verdict(tmp_path: Path, words: bytes) -> None:
    outcome = Checked.of(tmp_path, RULES, words).second(SWEEP)
    assert outcome.code == 2
    assert "words.txt: expected " in outcome.error


def test_the_command_of_the_specification_makes_a_canonical_list(six: Checked) -> None:
    (command,) = re.findall(r"^tr A-Z a-z < LIST .*$", PAGE, re.MULTILINE)
    (six.folder / "LIST").write_bytes(b"TEA\r\nat\neat\nit's\n\ntea\nt\xc3\xa9\n")
    made = subprocess.run(command, check=True, shell=True, capture_output=True, cwd=six.folder)
    assert made.stdout == SIX


def test_files_that_cannot_be_read_get_no_verdict(six: Checked) -> None:
    six.second(SWEEP)
    files = [six.folder / "c.txt", six.folder / "words.txt"]
    for missing in range(2):
        assert checked(*(six.folder / "none" if i == missing else file for i, file in enumerate(files))).code == 2
    assert checked(six.folder, files[1]).code == 2
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


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The checker without sanitizers, which need much room for addresses."""
    assert COMPILER is not None
    subprocess.run([COMPILER, "-O1", "-pthread", *STRICT, "-o", tmp_path / "check", SOURCE], check=True)
    return tmp_path / "check"


def long_proof(folder: Path) -> Path:
    """A certificate without prices of a long row, whose check takes long."""
    game = small("eatstoaz?" * 22, 10, 3)
    Checked.of(folder, game.rules, LISTED)
    free = replace(game, prices=Prices(0 * game.prices.tile, 0 * game.prices.leave))
    (folder / "c.txt").write_text(claiming(text_of(free, "r3"), 0), encoding="ascii")
    return folder / "c.txt"


def test_too_little_memory_gives_no_verdict(tmp_path: Path, plain: Path) -> None:
    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (100_000_000, 100_000_000))

    command = [plain, long_proof(tmp_path), tmp_path / "words.txt"]
    done = subprocess.run(command, check=False, capture_output=True, preexec_fn=limit)
    assert done.returncode == 2
    assert not done.stdout


def test_the_source_is_one_file_without_dependencies() -> None:
    lines = SOURCE.read_text(encoding="ascii").splitlines()
    standard = {"pthread", "stdarg", "stdatomic", "stddef", "stdint", "stdio", "stdlib", "string", "unistd"}
    assert {line.split()[1] for line in lines if line.startswith("#include")} <= {f"<{name}.h>" for name in standard}
