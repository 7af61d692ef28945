"""Games as people annotate them: guessed and unknown racks, letters without tiles, bonuses in the wrong line, odd text."""

import json
import unicodedata
from pathlib import Path

import pytest

from tests.process import rowdraw
from verify.scrabble.gcg import is_gcg, read_gcg
from verify.scrabble.judge import GameVerdict, judge_game
from verify.scrabble.rulings import Rulings
from verify.scrabble.tiles import tile_set, tile_set_names

HEAD = "#player1 ann A\n#player2 bob B\n"
STRICT = Rulings(racks="strict")
CAB = ">ann: ABCDEFG 8H CAB +14 14\n"


def judged(text: str, rulings: Rulings | None = None, tiles: str | None = None) -> GameVerdict:
    return judge_game((HEAD + text).encode(), words="none", tiles=tiles, rulings=rulings or Rulings())


def faults(verdict: GameVerdict) -> list[tuple[int, str]]:
    return [(fault.line - 2, fault.code) for fault in verdict.violations]


def remarks(verdict: GameVerdict) -> list[tuple[int, str]]:
    return [(remark.line - 2, remark.code) for remark in verdict.remarks]


CONTRADICTIONS = [
    pytest.param(">ann: ABCQEFG 8H CAB +14 14\n>bob: QEINRST - +0 0\n", [(2, "held-twice")], id="another player holds the Q"),
    pytest.param(CAB + ">bob: BBEINRT - +0 0\n", [(2, "not-in-bag")], id="a B lies on the board"),
    pytest.param(CAB + ">ann: ABCDEFX -- -14 0\n", [(2, "wrong-rack")], id="the rack of a play taken back"),
    pytest.param(CAB + "#rack1 QAEIDEE\n#rack2 QAEINST\n", [(3, "not-in-bag")], id="both hold the Q at the end"),
    pytest.param(CAB + ">ann: BBDEFGG (challenge) +5 19\n", [(2, "not-in-bag")], id="the rack of a challenge"),
]


@pytest.mark.parametrize(("text", "found"), CONTRADICTIONS)
def test_racks_that_contradict_each_other_are_remarks_and_faults_only_if_racks_are_strict(
    text: str, found: list[tuple[int, str]]
) -> None:
    """Annotators guess the racks of others; plays and scores are what happened."""
    lenient, strict = judged(text), judged(text, STRICT)
    assert (faults(lenient), remarks(lenient)) == ([], found)
    assert (faults(strict), remarks(strict)) == (found, [])
    assert "1 remark" in lenient.as_text()
    assert f"-:{found[0][0] + 2}: remark: {found[0][1]}: " in lenient.as_text()
    assert [(one["line"] - 2, one["code"]) for one in lenient.as_json()["remarks"]] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # the tiles that a play lays down are no guess
        (">ann: ABCQEFG 8H QAB +14 14\n>bob: QEINRST I7 Q. +11 11\n", "not-in-bag"),
        (">ann: ABCDEFG 8H CAB +14 14\n>bob: ZZINRST - +0 0\n", "not-in-bag"),  # no set has them
        (">ann: ABCDEFG 8H CABZ +14 14\n", "not-on-rack"),
        (">ann: ABCDEFGA 8H CAB +14 14\n", "rack-size"),
        (">ann: ABCDEFÐ 8H CAB +14 14\n", "unknown-tile"),
    ],
)
def test_what_no_guess_explains_stays_a_fault(text: str, found: str) -> None:
    assert found in {code for _line, code in faults(judged(text, tiles="english"))}


@pytest.mark.parametrize("rack", ["UNKNOWN", "unknown", "???????", "?????", "AB?????"])
@pytest.mark.parametrize(
    "text",
    [
        ">ann: {} 8H CAB +14 14\n",
        ">ann: {} -3 +0 0\n",
        ">ann: {} -ABC +0 0\n",
        ">ann: {} - +0 0\n",
        ">ann: ABCDEFG 8H CAB +14 14\n>ann: {} -- -14 0\n",
        ">ann: {} 8H CAB +14 14\n>ann: ABCDEFG -- -14 0\n",
        CAB + ">ann: {} (challenge) +5 19\n",
        CAB + ">bob: - +0 0\n>ann: {} (time) -10 4\n",
        CAB + "".join(f">{nick}: - +0 {total}\n" for nick, total in (("bob", 0), ("ann", 14)) * 3)
        + ">bob: {} (IQ) -11 -11\n>ann: {} (DEFG) -9 5\n",
        "#rack1 {}\n#rack2 {}\n" + CAB,
    ],
)  # fmt: skip
def test_an_unknown_rack_is_no_rack_on_every_kind_of_line(rack: str, text: str) -> None:
    """Programs for annotating tournaments write UNKNOWN, or question marks, where the rack was not seen."""
    for rulings in (Rulings(), STRICT):
        verdict = judged(text.format(*[rack] * 2), rulings)
        assert (faults(verdict), remarks(verdict), verdict.tiles) == ([], [], "english")


def test_an_unknown_rack_names_no_letters_of_a_tile_set() -> None:
    """The word UNKNOWN is no rack: a Slovene set has no W."""
    verdict = judged(">ann: UNKNOWN 8G ČAŠ +24 24\n>bob: UNKNOWN -3 +0 0\n")
    assert (verdict.tiles, faults(verdict)) == ("slovene", [])


def test_games_with_guessed_racks_count_in_tournaments(tmp_path: Path) -> None:
    end = ">ann: ABCQEFG 8H CAB +14 14\n>bob: QEINRST - +0 0\n" + ">ann: - +0 14\n>bob: - +0 0\n" * 3
    (tmp_path / "game.gcg").write_text(HEAD + end + ">ann: E (E) -1 13\n>bob: A (A) -1 -1\n")
    done = rowdraw("verify", ".", "--rank", "--json", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["tournament"]["games"]) == (0, 1)
    strict = rowdraw("verify", ".", "--rank", "--json", "--racks", "strict", cwd=tmp_path)
    assert (strict.returncode, json.loads(strict.stdout)["tournament"]["games"]) == (1, 0)
    assert "remark: held-twice" in rowdraw("show", "game.gcg", cwd=tmp_path).stdout


ONLY_BLANKS = {
    "norwegian": "QXZÄÖÜ",
    "swedish": "QWÆÜ",
    "danish": "QWÄÖÜ",
    "slovene": "QWXY",
    "italian": "JKWXY",
    "portuguese": "KWY",
}


@pytest.mark.parametrize("tiles", tile_set_names())
def test_letters_without_tiles_are_laid_with_a_blank_only(tiles: str) -> None:
    """Federations: Q, X, Z, Ä, Ö, Ü of Norwegian, Q, W, Æ, Ü of Swedish have no tile, and a blank may stand for them."""
    letters = {tile for tile, count in tile_set(tiles).counts.items() if not count}
    assert letters == set(ONLY_BLANKS.get(tiles, ""))
    for letter in letters:
        head = f"#tile-distribution {tiles}\n"
        verdict = judged(f"{head}>ann: ?A 8H a{letter.lower()} +0 0\n")
        assert faults(verdict) == [(2, "not-on-rack")]
        assert faults(judged(f"{head}>ann: ?? 8H a{letter.lower()} +0 0\n")) == []
        for rack in ("", f"A{letter}"):
            own = judged(f"{head}>ann: {rack} 8H A{letter} +2 2\n")
            assert {code for _line, code in faults(own)} == {"unknown-tile"}


def test_a_norwegian_pizza_has_two_blanks() -> None:
    """Norwegian: Z has no tile."""
    verdict = judged("#tile-distribution norwegian\n>ann: ??AIPRS 8F PIzzA +12 12\n")
    assert (verdict.valid, verdict.tiles) == (True, "norwegian")


@pytest.mark.parametrize(("tiles", "limit"), [(name, 1 if name == "spanish" else 7) for name in tile_set_names()])
def test_an_exchange_needs_as_many_tiles_in_the_bag_as_the_language_asks(tiles: str, limit: int) -> None:
    """FISE, Spanish: a tile in the bag is enough to exchange one; other federations ask for seven."""
    assert tile_set(tiles).exchange == limit


def test_spanish_players_exchange_with_one_tile_in_the_bag_but_no_more_than_it_holds(tmp_path: Path) -> None:
    few = tmp_path / "few.toml"
    few.write_text('exchange = 1\n[values]\na = 1\nb = 3\n[counts]\na = 9\nb = 9\n"?" = 0\n')
    for number, found in ((1, []), (2, []), (3, [(2, "illegal-exchange")])):
        text = f">ann: AAABBBB 8H AB +8 8\n>bob: -{number} +0 0\n"
        assert faults(judged(text, tiles=str(few))) == found
    few.write_text(few.read_text().replace("exchange = 1\n", ""))
    assert faults(judged(">ann: AAABBBB 8H AB +8 8\n>bob: -1 +0 0\n", tiles=str(few))) == [(2, "illegal-exchange")]


def test_the_value_of_a_blank_in_a_tile_set_counts_on_the_board_and_on_the_rack(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[values]\na = 1\nb = 3\n"?" = 2\n[counts]\na = 5\nb = 4\n"?" = 2\n')
    text = ">ann: AB? 8G ABa +12 12\n>bob: ?A H9 A? +0 0\n"
    assert (1, "wrong-score") not in faults(judged(text, tiles=str(own)))
    end = ">ann: ABAABBA 8G ABA +10 10\n" + ">bob: - +0 0\n>ann: - +0 10\n" * 3 + ">bob: ?B (?B) -5 -5\n>ann: ? (?) -2 8\n"
    assert faults(judged(end, tiles=str(own))) == []
    scored = rowdraw("score", "ab?", "--tiles", "own.toml", cwd=tmp_path)
    assert scored.stdout.endswith("score       6\n")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("exchange = 0", "exchange = 0: expected a whole number from 1 to 1,000"),
        ('exchange = "one"', "exchange = 'one': expected a whole number"),
        ('end = "never"', "end 'never': expected one of gain, deduct"),
        ("limit = 7", "'limit': expected values, counts, board, end, exchange, lexicons"),
    ],
)
def test_a_wrong_rule_of_a_tile_set_is_named_once_for_all_games(field: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(f"{field}\n[values]\na = 1\n[counts]\na = 9\n")
    for number in range(3):
        (tmp_path / f"{number}.gcg").write_text(HEAD + CAB)
    done = rowdraw("verify", ".", "--tiles", "bad.toml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("bad.toml") == 1
    assert f"bad.toml: {message}" in done.stderr


@pytest.mark.parametrize("option", ["--words", "--extra-words", "--tiles"])
def test_an_option_whose_file_is_missing_is_named_once_for_all_games(option: str, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.gcg").write_text("#lexicon enable1\n" + HEAD + CAB)
    done = rowdraw("verify", ".", option, "none.toml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("none.toml") == 1
    assert "cannot be used" not in done.stderr


@pytest.mark.parametrize(("text", "line"), [(CAB, 3), (CAB + "#note one\n\n" + ">bob: ABC\n", 6)])
@pytest.mark.parametrize("end", ["\r", "\r\n", "\r\r\n", "\n"])
def test_lines_may_end_in_every_way_that_systems_have_used(text: str, line: int, end: str) -> None:
    content = (HEAD + text).replace("\n", end).encode()
    assert is_gcg(content)
    game = read_gcg(content)
    assert (len(game.players), len(game.events)) == (2, 1)
    assert [problem.line for problem in game.problems] == ([line] if line > 3 else [])
    assert judge_game(content, words="none").totals == {"ann": 14, "bob": 0}


def test_an_encoding_is_found_in_a_file_with_carriage_returns_alone() -> None:
    content = "#character-encoding ISO-8859-1\r#player1 josé José\r>josé: CAB 8H CAB +14 14\r".encode("latin-1")
    assert read_gcg(content).players[0].nick == "josé"


def test_accents_that_are_separate_characters_are_composed() -> None:
    """Unicode: NFD and NFC are the same text."""
    text = "#player1 zoë Zoë\n#player2 bob B\n#tile-distribution icelandic\n>zoë: ÁRÉTTIN 8H ÁRÉ +22 22\n"
    composed, decomposed = (judge_game(unicodedata.normalize(form, text).encode(), words="none") for form in ("NFC", "NFD"))
    assert decomposed == composed
    assert composed.valid, composed.as_text()


def test_word_lists_and_tile_sets_may_have_separate_accents(tmp_path: Path) -> None:
    """Unicode: NFD and NFC are the same text."""
    words, tiles = tmp_path / "words.txt", tmp_path / "own.toml"
    words.write_text(unicodedata.normalize("NFD", "áé\n"), encoding="utf-8")
    fields = '[values]\n"á" = 1\n"é" = 2\n[counts]\n"á" = 9\n"é" = 9\n'
    tiles.write_text(unicodedata.normalize("NFD", fields), encoding="utf-8")
    content = (HEAD + ">ann: ÁÉ 8H ÁÉ +6 6\n").encode()
    verdict = judge_game(content, words=str(words), tiles=str(tiles))
    assert (verdict.valid, verdict.phonies) == (True, ()), verdict.as_text()


@pytest.mark.parametrize(("bonus", "rule"), [(5, "any"), (10, "any"), (10, "double"), (15, "5-per-word")])
def test_a_bonus_folded_into_a_play_is_named_in_the_fault(bonus: int, rule: str) -> None:
    """Quackle adds the bonus of a failed challenge to the score of the play."""
    text = ">ann: ABCDEFG 8H CAB +14 14\n" + f">bob: AEINRST 9I AS +{10 + bonus} {10 + bonus}\n"
    (fault,) = judged(text, Rulings(rule)).violations
    assert fault.code == "wrong-score"
    expected = f"+{10 + bonus}: expected +10; it is 10 and a bonus of {bonus}, which needs a line of its own"
    assert fault.message.startswith(expected)


@pytest.mark.parametrize("score", [8, 13, 20, 5])
def test_another_wrong_score_is_not_called_a_bonus(score: int) -> None:
    (fault,) = judged(CAB + f">bob: AEINRST 9I AS +{score + 1} {score + 1}\n").violations
    assert "bonus" not in fault.message


def test_show_judges_a_game_with_the_tile_set_of_the_option(tmp_path: Path) -> None:
    (tmp_path / "game.gcg").write_text(HEAD + ">ann: ABCDEFG 8H CAB +14 14\n")
    english = rowdraw("show", "game.gcg", "--tiles", "english", cwd=tmp_path)
    polish = rowdraw("show", "game.gcg", "--tiles", "polish", cwd=tmp_path)
    assert "english tiles" in english.stdout
    assert "polish tiles" in polish.stdout
    assert "claims +14 14" in polish.stdout
    missing = rowdraw("show", "game.gcg", "--tiles", "klingon", cwd=tmp_path)
    assert (missing.returncode, "expected one of catalan" in missing.stderr) == (2, True)
