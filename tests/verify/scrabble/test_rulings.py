"""How games end, what challenges bring, and what racks contradict: one small game for every fault."""

from pathlib import Path

import pytest

from verify.scrabble.judge import GameVerdict, judge_game
from verify.scrabble.rulings import Rulings

HEAD = "#player1 ann Ann Lee\n#player2 bob Bob\n"
CAB = ">ann: ABCDEFG 8H CAB +14 14\n"
PASSES = "".join(f">{nick}: - +0 {total}\n" for _ in range(3) for nick, total in (("bob", 0), ("ann", 14)))


def judged(text: str, rulings: Rulings | None = None, words: str = "none") -> GameVerdict:
    return judge_game((HEAD + text).encode(), words=words, rulings=rulings or Rulings())


def codes(text: str, rulings: Rulings | None = None, words: str = "none") -> list[tuple[int, str]]:
    return [(fault.line - 2, fault.code) for fault in judged(text, rulings, words).violations]


@pytest.fixture
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("tiles") / "tiny.toml"
    values = "".join(f"{tile} = {value}\n" for tile, value in {"a": 1, "b": 3, "c": 3, "i": 1, "q": 10}.items())
    counts = "".join(f"{tile} = 1\n" for tile in "abciq")
    file.write_text(f"[values]\n{values}\n[counts]\n{counts}")
    return str(file)


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (">ann: (IQ) +22 36\n", []),
        (">ann: (IQ) +11 25\n>bob: IQ (IQ) -11 -11\n", []),
        (">ann: (IQ) +22 36\n>bob: (time) -10 -10\n>ann: (time) -20 16\n", []),
        (">bob: - +0 0\n>ann: (IQ) +22 36\n", []),
        # a mixture of the two ways
        (">ann: (IQ) +22 36\n>bob: IQ (IQ) -11 -11\n", [(3, "wrong-end")]),
        (">ann: (IQ) +11 25\n", [(2, "wrong-end")]),
        # fewer tiles than remain, the loser, twice, another number
        (">ann: (Q) +20 34\n", [(2, "wrong-end")]),
        (">bob: (IQ) +22 22\n", [(2, "wrong-end")]),
        (">ann: (IQ) +22 36\n>ann: (IQ) +22 58\n", [(3, "wrong-end")]),
        (">ann: (IQ) +24 38\n", [(2, "wrong-score")]),
        # play goes on
        (">ann: (IQ) +22 36\n>bob: IQ - +0 0\n", [(3, "after-end")]),
        (">bob: (time) -10 -10\n>bob: IQ - +0 -10\n", [(2, "early-time")]),
        # time
        (">ann: (IQ) +22 36\n>bob: (time) -10 -10\n>bob: (time) -10 -20\n", [(4, "second-time")]),
        (">ann: (IQ) +22 36\n>bob: (time) -7 -7\n", [(3, "wrong-score")]),
    ],
)
def test_the_tiles_that_are_left_are_counted_in_one_of_two_ways(end: str, expected: list[tuple[int, str]], tiny: str) -> None:
    text = HEAD + ">ann: ABC 8H CAB +14 14\n" + end
    verdict = judge_game(text.encode(), tiles=tiny, words="none")
    assert [(fault.line - 2, fault.code) for fault in verdict.violations] == expected, verdict.as_text()


def test_the_verdict_tells_who_wins_and_by_how_much(tiny: str) -> None:
    text = HEAD + ">ann: ABC 8H CAB +14 14\n>ann: (IQ) +22 36\n"
    verdict = judge_game(text.encode(), tiles=tiny, words="none")
    assert (verdict.winners, verdict.spread, verdict.finished) == (["ann"], 36, True)
    assert "ann wins by 36" in verdict.as_text()
    assert verdict.as_json()["winners"] == ["ann"]
    unfinished = judged(CAB)
    assert (unfinished.winners, unfinished.finished) == ([], False)
    assert "not finished" in unfinished.as_text()


LOST = ">bob: IQ (IQ) -11 -11\n>ann: DEFG (DEFG) -9 5\n"


def test_turns_without_a_score_let_a_player_end_a_game_and_federations_end_it_by_option() -> None:
    """The rules of Scrabble: after six scoreless turns either player may end the game; federations end it by themselves."""
    assert codes(CAB + PASSES + LOST) == []
    assert codes(CAB + PASSES + LOST, Rulings(scoreless=6)) == []
    again = CAB + PASSES + ">bob: AEINRST 9I AS +10 10\n"
    assert codes(again) == []
    assert codes(again, Rulings(scoreless=6)) == [(8, "after-end")]
    assert codes(CAB + PASSES + ">bob: - +0 0\n>ann: - +0 14\n", Rulings(scoreless=8)) == []
    assert codes(CAB + ">bob: IQ (IQ) -11 -11\n") == [(2, "wrong-end")]
    assert codes(CAB + PASSES + ">bob: ?AEIOTT (?AEEOTT) -6 -6\n>ann: DEFG (DEFG) -9 5\n") == [(8, "wrong-end")]
    assert codes(CAB + ">bob: - +0 0\n>bob: IQ (IQ) -11 -11\n>ann: DEFG (DEFG) -9 5\n") == [(3, "wrong-end")]
    assert codes(CAB + PASSES + ">bob: IQ (IQ) -11 -11\n") == [(8, "wrong-end")]


def test_a_game_that_is_over_but_not_counted_has_no_winner() -> None:
    for end in (PASSES, ">bob: - +0 0\n>ann: (time) -10 4\n"):
        verdict = judged(CAB + end)
        assert verdict.valid
        assert (verdict.winners, verdict.finished, verdict.as_json()["uncounted"]) == ([], False, True)
        assert "over, but the tiles left are not counted" in verdict.as_text()


def test_nobody_moves_after_the_others_have_gone_out(tiny: str) -> None:
    start = f"{HEAD}>ann: ABCIQ 8H CAB +14 14\n"
    again = judge_game(f"{start}>bob: I I7 I. +2 2\n>ann: Q 9I Q +10 24\n".encode(), words="none", tiles=tiny)
    assert (5, "after-end") in {(fault.line, fault.code) for fault in again.violations}
    fine = judge_game(f"{start}>bob: - +0 0\n>ann: I I7 I. +2 16\n".encode(), words="none", tiles=tiny)
    assert "after-end" not in {fault.code for fault in fine.violations}


@pytest.mark.parametrize(
    ("text", "rule", "expected"),
    [
        (CAB + ">ann: (challenge) +5 19\n", "any", []),
        (CAB + ">ann: (challenge) +10 24\n", "any", []),
        (CAB + ">ann: (challenge) +10 24\n", "5", [(2, "wrong-score")]),
        (CAB + ">ann: (challenge) +15 29\n", "5-per-word", [(2, "wrong-score")]),
        (CAB + ">bob: (challenge) -5 -5\n", "-5", []),
        (CAB + ">bob: (challenge) -10 -10\n", "-10", []),
        (CAB + ">bob: (challenge) -5 -5\n", "-10", [(2, "wrong-score")]),
        (CAB + ">ann: (challenge) +10 24\n", "-10", [(2, "illegal-challenge")]),
        (CAB + ">bob: (challenge) -5 -5\n", "any", [(2, "illegal-challenge")]),
        (CAB + ">ann: (challenge) +5 19\n", "double", [(2, "wrong-score")]),
        (CAB + ">ann: (challenge) +5 19\n>ann: (challenge) +5 24\n", "any", [(3, "illegal-challenge")]),
        (CAB + ">bob: - +0 0\n>ann: (challenge) +5 19\n", "any", [(3, "illegal-challenge")]),
        (CAB + ">bob: - +0 0\n>ann: ABCDEFG -- -14 0\n", "any", [(3, "illegal-withdrawal")]),
        (CAB + ">ann: (challenge) +5 19\n>ann: ABCDEFG -- -14 5\n", "any", [(3, "illegal-withdrawal")]),
        (CAB + ">ann: ABCDEFX -- -14 0\n", "any", [(2, "wrong-rack")]),
    ],
)
def test_a_ruling_follows_its_play_directly(text: str, rule: str, expected: list[tuple[int, str]]) -> None:
    assert codes(text, Rulings(rule, racks="strict")) == expected


def test_three_words_challenged_in_vain_bring_fifteen_points() -> None:
    text = CAB + ">bob: AEINRST 9I AS +10 10\n>bob: (challenge) +15 25\n"
    assert codes(text, Rulings("5-per-word")) == []
    assert (3, "wrong-score") in codes(text, Rulings("5"))


def test_a_ruling_against_the_word_list_is_a_fault() -> None:
    assert codes(CAB + ">ann: ABCDEFG -- -14 0\n", words="enable1") == [(2, "wrong-ruling")]
    phony = ">ann: CABZXYG 8H BAC +14 14\n>ann: (challenge) +5 19\n"
    assert codes(phony, words="enable1") == [(2, "wrong-ruling")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#rack1 ZZZZZZZ\n" + CAB, [(1, "not-in-bag")]),
        ("#rack1 AB1\n" + CAB, [(1, "unknown-tile")]),
        ("#rack2 AEINRSTT\n" + CAB, [(1, "rack-size")]),
        ("#rack1 QABCDEE\n#rack2 QABCDEE\n" + CAB, [(2, "not-in-bag")]),
        ("#rack1 AEINRST\n#rack2 QABCDEE\n" + CAB, []),
        (">ann: ABCQEFG 8H CAB +14 14\n>bob: QEINRST - +0 0\n", [(2, "held-twice")]),
        (">ann: ABCQEFG 8H CAB +14 14\n>bob: EEINRST - +0 0\n>ann: QEFGAAA - +0 14\n", []),
    ],
)
def test_racks_that_no_bag_gives_are_contradictions(text: str, expected: list[tuple[int, str]]) -> None:
    assert codes(text, Rulings(racks="strict")) == expected


@pytest.mark.parametrize(
    "line",
    [">ann: IIIU -4 +0 0\n", ">ann: ABC - + 0 0\n", ">ann: -ABC +0 0 a comment 3 4\n", ">ann: 8H CAB 14 14\n"],
)
def test_numbers_of_tiles_and_signs_apart_are_read(line: str) -> None:
    assert not [code for _line, code in codes(line) if code == "malformed-line"]


def test_a_lost_rack_as_quackle_writes_it_is_read() -> None:
    assert codes(CAB + PASSES + ">bob: IQ (IQ) +-11 -11\n>ann: DEFG (DEFG) +-9 5\n") == []


def test_two_players_of_one_name_and_boards_that_are_not_known_are_refused_by_name() -> None:
    twice = judge_game(b"#player1 ann Ann\n#player2 ann Anna\n>ann: ABC 8H CAB +14 14\n", words="none")
    assert "-:2: players: #player1 and #player2 are both called 'ann'" in twice.as_text()
    again = judge_game(b"#player1 ann Ann\n#player2 bob Bob\n#player1 cat Cat\n>ann: ABC 8H CAB +14 14\n", words="none")
    assert "-:3: players: #player1 stands twice" in again.as_text()
    same = judge_game(b"#player1\tann\tAnn\n#player2 bob Bob\n#player1 ann Ann\n>ann: ABC 8H CAB +14 14\n", words="none")
    assert same.valid
    for pragma, expected in (
        ("#board-layout diamond", "board layout 'diamond'"),
        ("#game-type wordsmog", "game type 'wordsmog'"),
        ("#game-type classic_super", "game type 'classic_super'"),
        ("#tile-distribution klingon", "tile distribution 'klingon'"),
    ):
        verdict = judged(f"{pragma}\n{CAB}>bob: ZZZZZZZ 1A ZZZ +400 400\n")
        assert len(verdict.violations) == 1
        assert expected in verdict.as_text()
        assert "finished" not in verdict.as_text()
    for pragmata in ("#board-layout standard15\n", "#board-layout SuperCrosswordGame\n#game-type classic_super\n"):
        assert judged(f"{pragmata}{CAB.replace('8H', '11K') if 'Super' in pragmata else CAB}").valid


def test_utf_8_is_known_without_a_header() -> None:
    verdict = judge_game("#player1 josé José\n#player2 b B\n>josé: CAB 8H CAB +14 14\n".encode(), words="none")
    assert list(verdict.totals) == ["josé", "b"]
    latin = judge_game("#player1 josé José\n#player2 b B\n>josé: CAB 8H CAB +14 14\n".encode("latin-1"), words="none")
    assert latin.totals == verdict.totals


@pytest.mark.parametrize(
    ("head", "line", "tiles"),
    [
        ("#lexicon FISE2016\n", ">ann: [CH]ICOABC 8H [CH]ICO +20 20\n", "spanish"),
        ("#tile-distribution catalan\n", ">ann: A[L·L]EGO[QU] 8G A[L·L]EGO +32 32\n", "catalan"),
        ("#tile-distribution catalan\n", ">ann: AL·LEGOS 8G AL·LEGO +32 32\n", "catalan"),
        ("#lexicon RD28\n", ">ann: ÖLABCDE 8G ÖL +20 20\n", "german"),
        ("", ">ann: ŁAWABCD 8G ŁAW +10 10\n", "polish"),
        ("#board-layout SuperCrosswordGame\n#lexicon CSW19\n", ">ann: ABCDEFG 11J CAB +14 14\n", "english_super"),
    ],
)
def test_the_set_of_a_game_follows_its_header_or_its_letters(head: str, line: str, tiles: str) -> None:
    verdict = judged(head + line)
    assert (verdict.tiles, [fault.message for fault in verdict.violations]) == (tiles, [])


def test_a_blank_may_stand_for_a_tile_of_several_letters() -> None:
    text = "#tile-distribution spanish\n>ann: ?ICOABC 8H [ch]ICO +12 12\n>bob: [CH]AEIORS 9H [CH]A +7 7\n"
    assert [fault.code for fault in judged(text).violations if fault.code != "wrong-score"] == []


def test_a_tile_of_several_letters_is_not_laid_as_several_tiles(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("chal\ncal\n", encoding="utf-8")
    for play, score, phonies in (("[CH]AL", 14, 0), ("CHAL", 18, 1), ("CAL", 10, 0)):
        rack = "[CH]AL" if "[" in play else "CHAL"
        line = f">ann: {rack} 8G {play} +{score} {score}\n"
        verdict = judge_game(f"{HEAD}{line}".encode(), words=str(words), tiles="spanish")
        assert verdict.valid, verdict.as_text()
        assert len(verdict.phonies) == phonies
