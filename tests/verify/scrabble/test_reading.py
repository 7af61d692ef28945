"""Games as people and programs write them: racks, nicks, encodings, letters and word lists."""

import re
import unicodedata
from pathlib import Path

import click
import pytest

from solver.scrabble.screen import gcg_text
from tests.process import rowdraw
from tests.verify.scrabble.games import CAB, HEAD, faults, judged
from verify.files import is_gcg
from verify.judging import Judge
from verify.rules import RulesError
from verify.scrabble.gcg import read_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.tiles import tile_set, tile_set_names, tile_set_of
from verify.strictness import Strictness


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # another player's Q; a tile that no set has twice; a play taken back with another rack
        (">ann: ABCQEFG 8H CAB +14 14\n>bob: QEINRST - +0 0\n", "2 held-twice"),
        (CAB + ">bob: ZZINRST - +0 0\n", "2 not-in-bag"),
        (CAB + ">ann: ABCDEFX -- -14 0\n", "2 wrong-rack"),
        # a tile that is not held; a strange sign
        (">ann: ABDEFGH 8H CAB +14 14\n", "1 not-on-rack"),
        (">ann: ABCDEF1 8H CAB +14 14\n", "1 unknown-tile"),
        # another rack than the tiles lost
        (
            CAB
            + ">bob: - +0 0\n>ann: - +0 14\n" * 3
            + ">bob: II (IQ) -11 -11\n>ann: DEFG (DEFG) -9 5\n",
            "8 wrong-end",
        ),
    ],
)
def test_what_contradicts_a_rack_is_a_remark_and_a_fault_only_if_racks_are_strict(
    text: str, found: str
) -> None:
    """Racks are notes of annotators; plays and scores are what happened."""
    lenient = judged(text)
    strict = judged(text, strict=Strictness(racks=True))
    assert (lenient.violations, lenient.remarks) == ((), strict.violations)
    assert (faults(strict), strict.remarks) == ([found], ())
    (remark,) = lenient.remarks
    assert f"-:{remark.line}: remark: {remark.code}: " in lenient.as_text()
    assert [one["code"] for one in lenient.as_json()["remarks"]] == [remark.code]


def test_the_number_of_each_tile_on_the_board_stays_a_fault() -> None:
    assert faults(judged(">ann: ABCQEFG 8H QAB +28 28\n>bob: QEINRST I7 Q.Q +41 41\n")) == [
        "2 not-in-bag"
    ]
    assert faults(judged(">ann: ABCDEFG 8H CA1 +8 8\n")) == ["1 unknown-tile"]
    (fault,) = judged(">ann: ?CEHEES 8D CHE?SE +26 26\n").violations
    assert (
        fault.message
        == "'CHE?SE' lays a blank without its letter: expected the letter as a small letter"
    )


@pytest.mark.parametrize("tiles", ["CA?", "CA1", "CA\xe9"])
def test_a_tile_that_is_no_tile_of_the_set_is_not_sought_on_the_rack(tiles: str) -> None:
    verdict = judged(f">ann: ABCDEFG 8H {tiles} +8 8\n")
    assert (faults(verdict), verdict.remarks) == (["1 unknown-tile"], ())


@pytest.mark.parametrize("rack", ["unknown", "AB?????"])
@pytest.mark.parametrize(
    "text",
    [
        ">ann: {} 8H CAB +14 14\n",
        ">ann: {} -ABC +0 0\n",
        ">ann: {} 8H CAB +14 14\n>ann: {} -- -14 0\n",
        "#rack1 {}\n#rack2 {}\n" + CAB,
    ],
)
def test_an_unknown_rack_is_no_rack_on_every_kind_of_line(rack: str, text: str) -> None:
    """Annotating programs write UNKNOWN, or question marks, for a rack that was not seen."""
    verdict = judged(text.format(*[rack] * 2), strict=Strictness(racks=True))
    assert (faults(verdict), verdict.remarks, verdict.tiles) == ([], (), "english")


@pytest.mark.parametrize(
    "move",
    ["8H CAB(", "8H C)AB", "8H ()CAB", "8H CAB ++14 14", "8H CAB -+14 14", "8H CAB --14 14"],
)
def test_parentheses_and_signs_that_do_not_belong_together_make_a_line_malformed(
    move: str,
) -> None:
    numbers = "" if move.endswith("14") else " +14 14"
    line = f">ann: ABCDEFG {move}{numbers}"
    (fault,) = judged(f"{line}\n>bob: AEINRST - +0 0\n").violations
    assert (fault.code, fault.message.startswith(f"{line!r}: ")) == ("malformed-line", True)


def test_a_line_without_the_numbers_of_the_others_is_quoted_as_it_is() -> None:
    (fault,) = judged(f"{CAB}>bob: AEINRST  9I AS +10\n").violations
    assert fault.message.startswith("'>bob: AEINRST  9I AS +10': expected a score")


@pytest.mark.parametrize("line", [">bob AEINRST 9I AS +10 10", ">Bob\tAEINRST 9I AS (x: y) +10 10"])
def test_an_event_without_its_colon_is_one_fault_of_its_player(line: str) -> None:
    verdict = judged(f"{CAB}{line}\n>ann: DEFG - +0 14\n>bob: EINRT - +0 10\n")
    assert (faults(verdict), verdict.totals) == (["2 malformed-line"], {"ann": 14, "bob": 10})
    assert verdict.player_of[4] == "Bob"


@pytest.mark.parametrize(
    "names",
    [
        ("Roe, Ann", "Doe, Bob", "Roe, Ann", "Doe, Bob"),  # as in broadcast games
        ("a:b", "c", "a:b", "c"),
        ("ann", "bob", "ANN", "Bob"),
    ],
)
def test_nicks_may_have_spaces_and_colons_and_any_case(names: tuple[str, ...]) -> None:
    text = "#player1 {} Ann Roe\n#player2 {} Bob\n>{}: ABCDEFG 8H CAB +14 14\n"
    text += ">{}: AEINRST 9I AS +10 10\n"
    verdict = judge_game(text.format(*names).encode(), words="none")
    assert (verdict.valid, [*verdict.totals.values()]) == (True, [14, 10]), verdict.as_text()
    assert verdict.names == {names[0]: "Ann Roe", names[1]: "Bob"}


@pytest.mark.parametrize(
    ("head", "line", "tiles"),
    [
        ("#lexicon FISE2016\n", ">ann: [CH]ICOABC 8H [CH]ICO +20 20\n", "spanish"),
        ("#tile-distribution catalan\n", ">ann: AL·LEGOS 8G AL·LEGO +32 32\n", "catalan"),
        ("#lexicon GERMAN\n", ">ann: DEEINNR H4 DIENERN +66 66\n", "german"),  # as Elise writes
        ("#lexicon BIN\n", ">ann: SKRAFLA 8D SKRAFLA +74 74\n", "icelandic"),
        ("", ">ann: BABKĘLO 8H BABKĘ +38 38\n>bob: GAGMAWD H8 (B)AG +7 7\n", "polish"),
        (
            "#board-layout SuperCrosswordGame\n#lexicon CSW19\n",
            ">ann: ABCDEFG 11J CAB +14 14\n",
            "english_super",
        ),
    ],
)
def test_the_set_of_a_game_follows_its_header_or_its_letters(
    head: str, line: str, tiles: str
) -> None:
    verdict = judged(head + line)
    assert (verdict.tiles, [fault.message for fault in verdict.violations]) == (tiles, [])


def test_letters_of_several_sets_but_not_the_english_one_are_refused() -> None:
    swedish = ">ann: ÄRESTIN 8E ÄREN +12 12\n"
    verdict = judged(swedish)
    (fault,) = verdict.violations
    assert (fault.code, verdict.judged) == ("unknown-tiles", False)
    assert "the sets german, swedish have them: name one by --tiles" in fault.message
    assert judged(swedish, tiles="swedish").valid


def test_one_strange_sign_is_one_fault_in_its_line_and_leaves_the_set_of_the_game() -> None:
    start = ">ann: BABKĘLO 8H BABKĘ +38 38\n"
    verdict = judged(f"{start}>bob: GAGMAWD H8 .A9 +4 4\n>ann: LO - +0 38\n")
    assert (verdict.tiles, faults(verdict)) == ("polish", ["2 unknown-tile"])
    assert judged(f"{start}>bob: 9AGMAWD H8 .AG +7 7\n").tiles == "polish"
    assert judged(">ann: ABCDEF9 - +0 0\n").tiles == "english"


def test_a_game_of_several_faults_names_the_bundled_set_with_which_it_has_none() -> None:
    french = ">ann: ?MNSTUX 8F MUX +26 26\n>bob: AEHILKR 9H KILA +34 34\n"
    verdict = judged(french)
    assert (verdict.tiles, len(verdict.violations), verdict.hint) == ("english", 2, "french")
    assert "with --tiles french it has no fault" in verdict.as_text().splitlines()[0]
    assert judged(french, tiles="french").valid
    assert judged(french, tiles="english").hint == ""
    assert judged(f"#tile-distribution english\n{french}").hint == ""
    assert judged(CAB.replace("+14 14", "+99 99")).hint == ""


def test_letters_without_tiles_are_laid_with_a_blank_only() -> None:
    """Federations: a blank may stand for the letters of a language that have no tile."""
    for tiles in tile_set_names():
        head = f"#tile-distribution {tiles}\n"
        for letter in {tile for tile, count in tile_set(tiles).counts.items() if not count}:
            assert faults(judged(f"{head}>ann: ?? 8H a{letter.lower()} +0 0\n")) == []
            assert faults(judged(f"{head}>ann: 8H A{letter} +2 2\n")) == ["2 unknown-tile"]


def test_an_exchange_needs_the_tiles_in_the_bag_that_the_set_asks_for(tmp_path: Path) -> None:
    few = tmp_path / "few.toml"
    few.write_text('exchange = 1\n[values]\na = 1\nb = 3\n[counts]\na = 9\nb = 9\n"?" = 0\n')
    for number, found in ((1, []), (2, []), (3, ["2 illegal-exchange"])):
        text = f">ann: AAABBBB 8H AB +8 8\n>bob: -{number} +0 0\n"
        assert faults(judged(text, tiles=str(few))) == found
    few.write_text(few.read_text().replace("exchange = 1\n", ""))
    assert faults(judged(">ann: AAABBBB 8H AB +8 8\n>bob: -1 +0 0\n", tiles=str(few))) == [
        "2 illegal-exchange"
    ]


@pytest.mark.parametrize(
    ("values", "counts", "message"),
    [
        (
            "a = 1",
            "a = 9\n[x]",
            "'x': expected values, counts, lexicons, words, rules, board, exchange, "
            "rack_size, bonus",
        ),
        ("a = 1", "", "expected a table [counts] with a number for each tile"),
        ("a = 1\nb = 1", "a = 9", "'B': expected the same tiles in values and counts"),
        (
            "a = 1\n'?' = 2",
            "a = 9",
            "values: '?': a blank is worth nothing: expected no value for it",
        ),
    ],
)
def test_a_wrong_tile_set_is_refused_with_what_was_expected(
    values: str, counts: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.toml").write_text(f"[values]\n{values}\n[counts]\n{counts}\n")
    with pytest.raises(RulesError, match=re.escape(f"bad.toml: {message}")):
        tile_set_of(str(tmp_path / "bad.toml"))


def test_word_lists_come_from_options_and_pragmata(tmp_path: Path) -> None:
    play = ">ann: CABZXYG 8H BAC +14 14\n"
    (tmp_path / "list.txt").write_text("bac\n")
    content = (HEAD + play).encode()
    assert judge_game(content, words=str(tmp_path / "list.txt")).phonies == ()
    assert judge_game(content, words="enable1", extra=str(tmp_path / "list.txt")).phonies == ()
    assert judge_game(content).words == "words are not judged: the game names no list"
    unknown = judge_game((HEAD + "#lexicon TWL06\n" + play).encode())
    assert (unknown.valid, unknown.words) == (
        True,
        "words are not judged: the list 'TWL06' is not bundled",
    )
    assert judge_game((HEAD + "#lexicon enable1\n" + play).encode()).phonies
    with pytest.raises(RulesError, match="cannot be read"):
        judge_game(content, words=str(tmp_path / "none.txt"))
    with pytest.raises(RulesError, match="expected one of catalan, danish"):
        judge_game(content, tiles="klingon")


def test_boards_and_kinds_of_games_that_are_not_known_are_refused_by_name() -> None:
    for pragma, expected in (
        ("#board-layout diamond", "board layout 'diamond'"),
        ("#game-type wordsmog", "game type 'wordsmog'"),
        ("#game-type classic_super", "game type 'classic_super'"),
    ):
        verdict = judged(f"{pragma}\n{CAB}>bob: ZZZZZZZ 1A ZZZ +400 400\n")
        assert len(verdict.violations) == 1
        assert expected in verdict.as_text()
        assert "finished" not in verdict.as_text()
    assert judged(f"#board-layout standard15\n{CAB}").valid
    large = "#board-layout SuperCrosswordGame\n#game-type classic_super\n"
    assert judged(large + CAB.replace("8H", "11K")).valid


def test_encodings_notes_and_line_ends_are_read() -> None:
    latin = "#player1 césar César\r\n#player2 b B\r\n#note first\r\n"
    latin += ">césar: CAB 8H CAB +14 14 CAB\r\n#note one\r\n two\r\n\r\nthree\r\n"
    game = read_gcg(latin.encode("iso-8859-1"))
    assert game.players[0].name == "César"
    assert game.note == "first"
    assert (game.events[0].note, game.events[0].comment) == ("one\ntwo\n\nthree", "CAB")
    for content in (
        latin.encode(),
        latin.encode("utf-8-sig"),
        ("#character-encoding utf-8\n" + latin).encode(),
    ):
        assert read_gcg(content) == game
    broken = read_gcg(b"#character-encoding UTF-8\n#player1 \xe9 x\n")
    (fault,) = broken.problems
    assert (fault.line, fault.code) == (2, "bad-encoding")
    assert [fault.code for fault in read_gcg(b"#character-encoding klingon\n").problems] == [
        "unknown-encoding"
    ]
    content = (
        "#character-encoding ISO-8859-1\r#player1 josé José\r>josé: CAB 8H CAB +14 14\r".encode(
            "latin-1"
        )
    )
    assert read_gcg(content).players[0].nick == "josé"


@pytest.mark.parametrize("declared", ["", "#character-encoding utf-16\n"])
def test_a_game_in_utf_16_with_a_mark_is_read(declared: str, tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    path.write_text(declared + HEAD + CAB, encoding="utf-16")
    (verdict,) = Judge(None, None)(str(path))
    assert verdict.as_text().partition("; ")[0] == f"{path}: valid"
    assert rowdraw("show", path).stdout.splitlines()[1].split()[:2] == ["ann", "ABCDEFG"]


def test_a_game_of_any_name_is_a_game_where_a_nick_looks_like_the_turn_of_an_answer(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.txt"
    path.write_text("#player1 bot1 Bot 1\n#player2 bot2 Bot 2\n" + CAB.replace("ann", "bot1"))
    (verdict,) = Judge(None, None)(str(path))
    assert verdict.as_text().startswith(f"{path}: valid; bot1 14, bot2 0")


@pytest.mark.parametrize("encoding", ["punycode", "undefined", "utf-16", "hex"])
def test_no_encoding_that_python_knows_makes_the_reader_stumble(encoding: str) -> None:
    content = (
        f"#character-encoding {encoding}\n#player1 a Ann\n>a: ABC".encode()
        + b"\xe9\\u 8H FACED +30 30\n"
    )
    assert read_gcg(content).problems


@pytest.mark.parametrize("end", ["\r", "\r\r\n"])
def test_lines_may_end_in_every_way_that_systems_have_used(end: str) -> None:
    content = (HEAD + CAB + "#note one\n\n>bob: ABC\n").replace("\n", end).encode()
    assert is_gcg(content)
    assert [problem.line for problem in read_gcg(content).problems] == [6]
    assert judge_game(content, words="none").totals == {"ann": 14, "bob": 0}


def test_accents_that_are_separate_characters_are_composed(tmp_path: Path) -> None:
    """Unicode: NFD and NFC are the same text, in games, word lists and tile sets."""
    head = "#player1 zoë Zoë\n#player2 bob B\n#tile-distribution icelandic\n"
    text = f"{head}>zoë: ÁRÉTTIN 8H ÁRÉ +22 22\n"
    composed, decomposed = (
        judge_game(unicodedata.normalize(form, text).encode(), words="none")
        for form in ("NFC", "NFD")
    )
    assert decomposed == composed
    assert composed.valid, composed.as_text()
    words = tmp_path / "words.txt"
    tiles = tmp_path / "own.toml"
    words.write_text(unicodedata.normalize("NFD", "áé\n"), encoding="utf-8")
    fields = '[values]\n"á" = 1\n"é" = 2\n[counts]\n"á" = 9\n"é" = 9\n'
    tiles.write_text(unicodedata.normalize("NFD", fields), encoding="utf-8")
    verdict = judge_game(
        (HEAD + ">ann: ÁÉ 8H ÁÉ +6 6\n").encode(), words=str(words), tiles=str(tiles)
    )
    assert (verdict.valid, verdict.phonies) == (True, ()), verdict.as_text()


def shown(text: str, **options: str) -> list[str]:
    content = (HEAD + text).encode()
    verdict = judge_game(content, "g.gcg", **options)  # type: ignore[arg-type]
    return click.unstyle(gcg_text(verdict)).splitlines()


def test_long_nicks_are_cut_and_no_total_is() -> None:
    nicks = [letter * 60 for letter in "abcd"]
    head = "".join(f"#player{number} {nick} x\n" for number, nick in enumerate(nicks, start=1))
    lines = "".join(f">{nick}: - +0 0\n" for nick in nicks)
    verdict = judge_game((head + lines).encode())
    totals = ", ".join(f"{letter * 40} 0" for letter in "abcd")
    assert f"{totals} after 4 events" in verdict.as_text()


def test_what_controls_a_terminal_is_escaped_in_a_shown_game() -> None:
    for line in (">ann: ABC 8H C\x1bB +6 6\n", ">ann: AB\x1b 8H CAB +14 14\n", ">\x1b: - +0 0\n"):
        text = "\n".join(shown(f"{line}>bob: - +0 0\n"))
        assert "\\x1b" in text
        assert "\x1b" not in text


def test_a_shown_game_has_the_right_scores_and_marks_what_is_claimed() -> None:
    lines = shown(CAB.replace("+14 14", "+15 15") + ">bob: AEINRST 9I AS +10 10\n")
    assert lines[1].split() == ["ann", "ABCDEFG", "8H", "CAB", "+14", "14", "claims", "+15", "15"]
    assert lines[2] == "  line 3: wrong-score: +15: expected +14"
    assert lines[3].split() == ["bob", "AEINRST", "9I", "AS", "+10", "10"]
    assert "claims" not in "".join(shown(CAB.replace(" +14 14", "")))
    assert any("claims +14 14" in line for line in shown(CAB, tiles="polish"))
