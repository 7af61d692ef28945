"""Rule sets, by name or from a director's file: how games end, what challenges bring."""

from pathlib import Path

import pytest

from tests.verify.scrabble.games import CAB, HEAD, codes, faults, judged
from verify.files import data_folder
from verify.rules import RulesError
from verify.scrabble.judge import judge_game
from verify.scrabble.rule_sets import rule_set_of, rule_sets
from verify.strictness import Strictness

EXACT = Strictness(record="exact")
PROGRAM = Strictness(record="program")
FOUR = HEAD + "#player3 cat C\n#player4 dan D\n"
PASSES = ">bob: - +0 0\n>ann: - +0 14\n" * 3
LOST = ">bob: IQ (IQ) -11 -11\n>ann: DEFG (DEFG) -9 5\n"
AGAIN = ">bob: AEINRST 9I AS +10 10\n"
ICELANDIC = "#tile-distribution icelandic\n"


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """A set of five tiles, three on a rack: three are played, two are left."""
    file = tmp_path / "tiny.toml"
    values = "a = 1\nb = 3\nc = 3\ni = 1\nq = 10\n"
    file.write_text(
        f"rack_size = 3\nbonus = 0\n[values]\n{values}[counts]\na = 1\nb = 1\nc = 1\ni = 1\nq = 1\n"
    )
    return str(file)


def messages(text: str, rules: str | None = None, tiles: str | None = None) -> list[str]:
    return [f"{fault.code}: {fault.message}" for fault in judged(text, rules, tiles).violations]


@pytest.mark.parametrize("turn", ["-", "-ABC", "8H CAB +14 14\n>ann: ABCDEFG --"])
@pytest.mark.parametrize(
    ("rules", "ends", "goes_on"),
    [
        (None, True, True),
        ("naspa", True, False),
        ("casual", False, True),
        ("icelandic", False, None),
    ],
)
def test_six_turns_without_a_score_on_an_empty_board_end_a_game_by_some_rules(
    turn: str, rules: str | None, ends: bool, goes_on: bool | None
) -> None:
    """The lowest game of North America (Albany 2010) ended like this; at home it goes on."""
    last = "-14 0" if "CAB" in turn else "+0 0"
    turns = f">ann: ABCDEFG {turn} {last}\n>bob: -3 +0 0\n" * 3
    assert judged(HEAD + turns + ">ann: E (E) -1 -1\n>bob: A (A) -1 -1\n", rules).valid == ends
    if goes_on is not None:
        assert judged(HEAD + turns + CAB, rules).valid == goes_on


@pytest.mark.parametrize("players", [2, 4])
def test_two_passes_of_every_player_end_a_polish_game_with_a_gain_and_an_icelandic_one_without(
    players: int, tiny: str
) -> None:
    nicks = ["ann", "bob", "cat", "dan"][:players]
    head = HEAD if players == 2 else FOUR
    passes = "".join(f">{nick}: - +0 0\n" for nick in nicks)
    lost = "".join(f">{nick}: A (A) -1 -1\n" for nick in nicks)
    for tiles in ("polish", "icelandic"):
        # tournaments may go on where the game names no rules; the rules by name end it
        text = f"{head}#tile-distribution {tiles}\n{passes}{passes}"
        assert judged(text + lost).valid
        assert judged(text + lost, tiles).valid
        assert judged(text + passes).valid
        expected = (
            "after-end: the game is over, because every player passed 2 times in a row: "
            "expected no further turn"
        )
        assert messages(text + passes, tiles) == [expected]
        early = "expected no count before the last tile or 2 passes of every player"
        assert messages(text.replace(passes * 2, passes) + lost, tiles)[0].endswith(early)
        assert judged(text + lost, "wespa").valid is False
        exchanged = text.removesuffix(f">{nicks[-1]}: - +0 0\n") + f">{nicks[-1]}: -2 +0 0\n"
        assert messages(exchanged + lost, tiles)[0].endswith(early)
    out = f"{HEAD}>ann: ABC 8H CAB +14 14\n"
    for end, polish, icelandic in (
        (">ann: (IQ) +22 36\n", True, False),
        (">ann: (IQ) +11 25\n>bob: IQ (IQ) -11 -11\n", True, False),
        (">bob: IQ (IQ) -11 -11\n", False, True),
    ):
        assert judged(out + end, "polish", tiny).valid == polish
        assert judged(out + end, "icelandic", tiny).valid == icelandic


def test_both_ends_are_right_for_icelandic_tiles_unless_the_game_names_its_rules() -> None:
    """Icelandic tables deduct, and Icelandic tournaments let the player who is out gain."""
    text = HEAD + ICELANDIC + ">ann: - +0 0\n>bob: - +0 0\n" * 2 + ">ann: A - +0 0\n"
    assert judged(text).valid
    assert judged(text.replace("#tile", "#rules casual\n#tile")).rules == "casual"
    (fault,) = judged(text.replace("#tile", "#rules icelandic\n#tile")).violations
    assert fault.code == "after-end"
    unknown = messages(text.replace("#tile", "#rules never\n#tile"))
    expected = f"expected one of {', '.join(rule_sets())}, or --rules FILE"
    assert unknown == [f"unknown-rules: rules 'never': {expected}"]


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (">ann: (IQ) +22 36\n", []),
        (">ann: (IQ) +11 25\n>bob: IQ (IQ) -11 -11\n", []),
        (">ann: (IQ) +22 36\n>bob: (time) -10 -10\n>ann: (time) -20 16\n", []),
        # a mixture of the two ways
        (">ann: (IQ) +22 36\n>bob: IQ (IQ) -11 -11\n", ["3 wrong-end"]),
        (">ann: (IQ) +11 25\n", ["2 wrong-end"]),
        # fewer tiles than remain, the loser, twice, another number
        (">ann: (IQ) +22 36\n>ann: (IQ) +22 58\n", ["3 wrong-end"]),
        (">bob: IQ (IQ) -11 -11\n", ["2 wrong-end"]),
        # play goes on
        (">ann: (IQ) +22 36\n>bob: IQ - +0 0\n", ["3 after-end"]),
        (">bob: (time) -10 -10\n>bob: IQ - +0 -10\n", ["2 early-time"]),
        # time
        (">ann: (IQ) +22 36\n>bob: (time) -10 -10\n>bob: (time) -10 -20\n", ["4 second-time"]),
        (">ann: (IQ) +22 36\n>bob: (time) -7 -7\n", ["3 wrong-score"]),
    ],
)
def test_the_tiles_that_are_left_are_counted_in_one_of_two_ways(
    end: str, expected: list[tuple[int, str]], tiny: str
) -> None:
    assert codes(">ann: ABC 8H CAB +14 14\n" + end, tiles=tiny) == expected


@pytest.mark.parametrize("players", [3, 4])
def test_a_gain_needs_the_losses_of_the_others_if_there_are_several(
    players: int, tiny: str
) -> None:
    """The rules of Scrabble for three or four: the one who is out gets what the others lose."""
    head = "".join(FOUR.splitlines(keepends=True)[:players])
    play = ">ann: ABC 8H CAB +14 14\n"
    losses = ">bob: I (I) -1 -1\n>cat: Q (Q) -10 -10\n"
    assert judged(head + play + losses + ">ann: (IQ) +11 25\n", None, tiny).valid
    for end in (">ann: (IQ) +11 25\n", ">ann: (IQ) +11 25\n>bob: I (I) -1 -1\n"):
        (fault,) = messages(head + play + end, None, tiny)
        assert fault.endswith(": expected 'ann' to get the value of 'IQ', while the others lose it")


def test_six_turns_without_a_score_let_a_player_end_a_game_or_end_it() -> None:
    for rules in (None, "casual", "naspa", "wespa"):
        assert codes(CAB + PASSES + LOST, rules) == []
        assert codes(CAB + PASSES + AGAIN, rules) == (
            [] if rules in (None, "casual") else ["8 after-end"]
        )
    assert codes(CAB + ">bob: - +0 0\n" + LOST) == ["4 wrong-end"]
    assert codes(CAB + PASSES + ">bob: IQ (IQ) -11 -11\n") == ["8 wrong-end"]
    # as Quackle writes it
    assert codes(CAB + PASSES + LOST.replace("-11 -", "+-11 -").replace("-9", "+-9")) == []
    for end, is_over in ((PASSES, True), (">bob: - +0 0\n>ann: (time) -10 4\n", False)):
        verdict = judged(HEAD + CAB + end)
        assert (verdict.valid, verdict.winners) == (True, [])
        assert (verdict.finished, verdict.as_json()["uncounted"]) == (False, is_over)
        result = "over, but the tiles left are not counted: expected"
        assert (result if is_over else "not finished") in verdict.as_text()


TEN = "bonus = [10]\n"


@pytest.mark.parametrize(
    ("text", "rules", "expected"),
    [
        (CAB + ">ann: (challenge) +5 19\n", None, []),
        (CAB + ">ann: (challenge) +10 24\n", TEN, []),
        (CAB + ">ann: (challenge) +5 19\n", "naspa", ["2 wrong-score"]),
        (CAB + AGAIN + ">bob: (challenge) +15 25\n", "wespa", []),
        (CAB + AGAIN + ">bob: (challenge) +25 35\n", "wespa", ["3 wrong-score"]),
        (CAB + ">bob: - +0 0\n>ann: (challenge) +5 19\n", None, ["3 illegal-challenge"]),
        (CAB + ">bob: (challenge) +5 5\n", None, ["2 illegal-challenge"]),
    ],
)
def test_what_a_failed_challenge_brings(
    text: str, rules: str | None, expected: list[tuple[int, str]], tmp_path: Path
) -> None:
    if rules is not None and "=" in rules:
        (tmp_path / "own.toml").write_text(rules)
        rules = str(tmp_path / "own.toml")
    assert codes(text, rules) == expected


def test_a_bonus_in_the_score_of_a_play_stands_as_a_record_of_programs_alone() -> None:
    """Quackle adds the bonus of a failed challenge to the score of the play."""
    for bonus in (5, 10):
        text = f"{HEAD}{CAB}>bob: AEINRST 9I AS +{10 + bonus} {10 + bonus}\n"
        hint = f"which needs a line of its own, '(challenge) +{bonus}', or --record program"
        assert messages(text) == [
            f"wrong-score: +{10 + bonus}: expected +10; it is 10 and a bonus of {bonus}, {hint}"
        ]
        verdict = judged(text + f">bob: AEINRST -- -{10 + bonus} 0\n", strict=PROGRAM)
        assert (verdict.valid, verdict.totals["bob"]) == (True, 0)
        assert [remark.code for remark in verdict.remarks] == ["wrong-score"]
        assert verdict.steps[1].score == 10 + bonus
    for other, rules in ((19, None), (15, "naspa")):
        text = f"{HEAD}{CAB}>bob: AEINRST 9I AS +{other} {other}\n"
        (fault,) = judged(text, rules, strict=PROGRAM).violations
        assert "bonus" not in fault.message


BARE = "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: AAEIRTY 8G YA +10 10\n>Bob: EFIINQT {}\n"
GOES_ON = ">Ann: AEILRTU 7E URALITE +67 77\n>Bob: EFINOOT 8A OFTEN +29 29\n"


def test_a_pass_and_an_exchange_without_numbers_are_remarks_and_faults_of_an_exact_record() -> None:
    for move in ("-IQ", "-2", "-"):
        text = (BARE.format(move) + GOES_ON).encode()
        verdict = judge_game(text, words="none")
        assert [(found.line, found.code) for found in verdict.remarks] == [(4, "no-score")]
        assert (verdict.valid, verdict.totals) == (True, {"Ann": 77, "Bob": 29})
        exact = judge_game(text, words="none", strict=EXACT)
        assert [(found.line, found.code) for found in exact.violations] == [(4, "no-score")]


@pytest.mark.parametrize("line", ["EFIINQT -IQ IQ", "EFIINQT 8K", "XY (challenge +5"])
def test_a_line_that_cannot_be_read_keeps_its_player_and_is_one_fault(line: str) -> None:
    for numbers in ("", " +0 0", " +7 7"):
        text = BARE.format("") + GOES_ON.replace("29 29", f"29 {29 + 7 * ('7' in numbers)}")
        text = text.replace(">Bob: EFIINQT \n", f">Bob: {line}{numbers}\n")
        verdict = judge_game(text.encode(), words="none")
        assert [fault.code for fault in verdict.violations] == ["malformed-line"], text


@pytest.mark.parametrize("racks", ["CQ J", "CQ ?"])
def test_after_passes_the_rack_that_quackle_leaves_out_is_counted(racks: str) -> None:
    ann, bob = racks.split()
    passes = f">ann: {ann} - +0 0\n>bob: {bob} - +0 0\n" * 3
    text = f"{HEAD}{passes}>ann: {ann} ({ann}) +-13 -13\n"
    verdict = judged(text)
    value = 8 if bob == "J" else 0
    assert (verdict.valid, verdict.finished) == (True, True)
    assert verdict.totals == {"ann": -13, "bob": -value}
    (remark,) = verdict.remarks
    expected = f"the loss of 'bob' is left out: expected '({bob}) -{value} {-value}'"
    assert remark.message == f"{expected}, which is counted"
    assert codes(text, strict=EXACT) == ["7 wrong-end"]
    # the rack of the other one is not known
    assert codes(text.replace(f">bob: {bob} -", ">bob: -")) == ["7 wrong-end"]


def test_a_play_that_is_taken_back_without_its_loss_stands_as_a_record_of_programs() -> None:
    text = f"{HEAD}{CAB}>ann: ABCDEFG -- +0 0\n>bob: - +0 0\n"
    assert codes(text) == ["2 wrong-score"]
    verdict = judged(text, strict=PROGRAM)
    assert (verdict.valid, len(verdict.remarks), verdict.totals["ann"]) == (True, 1, 0)


def test_a_last_play_of_all_tiles_ends_a_game_whose_count_is_expected(tiny: str) -> None:
    play = ">ann: 8H CAB +14 14\n"
    for players, rules, expected in (
        (2, None, "expected +22 for 'ann'"),
        (3, None, "expected +11 for 'ann'"),
        (2, "icelandic", "expected the others to lose 'IQ', and no one to get it"),
    ):
        head = "".join(FOUR.splitlines(keepends=True)[:players])
        verdict = judged(head + play, rules, tiny)
        assert (verdict.valid, verdict.finished, verdict.uncounted) == (True, False, expected)
        assert f"the tiles left are not counted: {expected}" in verdict.as_text()
        passed = verdict.game.players[1:] + verdict.game.players[:1]
        passes = "".join(f">{player.nick}: -\n" for player in passed) * 6
        bare = judged(head + play.replace(" +14 14", "") + passes, rules, tiny)
        assert (bare.valid, bare.finished, bare.uncounted) == (True, False, expected)
    assert judged(play.replace("CAB +14 14", "AB +8 8"), tiles=tiny).uncounted == ""
    assert judged(f"{play}>ann: -- -14 0\n", tiles=tiny).uncounted == ""


def test_a_game_is_finished_if_the_last_play_leaves_no_tile_to_count(tiny: str) -> None:
    text = Path(tiny).read_text().replace("i = 1\nq = 1\n", "i = 0\nq = 0\n")
    Path(tiny).write_text(text)
    for rules in (None, "icelandic"):
        verdict = judged(">ann: ABC 8H CAB +14 14\n", rules, tiny)
        assert (verdict.valid, verdict.finished, verdict.uncounted) == (True, True, "")


def test_a_play_after_the_last_tile_is_a_fault_and_its_points_do_not_count(tiny: str) -> None:
    """Racks need not be known: the number of tiles laid is."""
    out = ">ann: 8H CAB +14 14\n"
    play = ">bob: K8 I +2 2\n"
    late = judged(f"{out}{play}>bob: (Q) -10 -8\n", "icelandic", tiny)
    assert late.totals == {"ann": 14, "bob": -10}
    assert faults(late) == ["2 after-end", "3 wrong-end"]
    assert len(late.steps) == 3
    passes = ">bob: - +0 0\n>ann: - +0 14\n"
    for end in (passes, ">ann: (IQ) +22 36\n", ">ann: (challenge) +5 19\n"):
        assert codes(out + end + play, tiles=tiny) == [f"{2 + end.count('>')} after-end"]
    # after such a fault it is not certain who is out
    for before in (out.replace("8H", "1A"), f">ann: - +0 0\n>ann: - +0 0\n{out}"):
        assert "after-end" not in " ".join(codes(before + play, tiles=tiny))
    twice = f"{out}{play}>ann: 9H Q +20 34\n>bob: - +0 2\n>ann: (IQ) +22 56\n"
    verdict = judged(twice, tiles=tiny)
    assert (faults(verdict), verdict.totals) == (["2 after-end"], {"ann": 36, "bob": 0})


@pytest.mark.parametrize(
    ("late", "code"),
    [("ABC -- -14 22", "illegal-withdrawal"), ("(challenge) +5 41", "illegal-challenge")],
)
def test_a_play_is_not_taken_back_or_challenged_once_tiles_are_counted(
    late: str, code: str, tiny: str
) -> None:
    text = f">ann: ABC 8H CAB +14 14\n>ann: (IQ) +22 36\n>ann: {late}\n"
    assert codes(text, tiles=tiny) == [f"3 {code}"]


def test_a_wrong_score_and_a_wrong_total_stand_as_recorded_and_are_remarks() -> None:
    text = HEAD + CAB.replace("+14 14", "+17 17") + AGAIN.replace("10\n", "12\n")
    assert [fault.code for fault in judged(text).violations] == ["wrong-score", "wrong-total"]
    verdict = judged(text, strict=Strictness(record="stands"))
    assert (verdict.valid, verdict.totals) == (True, {"ann": 17, "bob": 12})
    assert [remark.code for remark in verdict.remarks] == ["wrong-score", "wrong-total"]
    assert "2 remarks, english tiles" in verdict.as_text()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{CAB}>ann: (challenge) +5 19\n", "wrong-score"),
        (f"{CAB}{PASSES}>bob: IQ (IQ) -11 -11\n>ann: (IQ) +11 25\n", "wrong-end"),
    ],
)
def test_a_wrong_bonus_and_a_wrong_end_count_stand_as_recorded(text: str, code: str) -> None:
    (fault,) = judged(text, "naspa").violations
    verdict = judged(text, "naspa", strict=Strictness(record="stands"))
    assert (fault.code, verdict.violations, verdict.remarks) == (code, (), (fault,))


def test_a_director_states_rules_in_a_file(tmp_path: Path) -> None:
    own = tmp_path / "club.toml"
    own.write_text('like = "naspa"\nscoreless = 4\n')
    passes = ">bob: - +0 0\n>ann: - +0 14\n" * 2
    assert codes(CAB + passes + LOST, str(own)) == []
    assert codes(CAB + passes + AGAIN, str(own)) == ["6 after-end"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('like = "klingon"', "like 'klingon': expected one of any, casual, naspa"),
        ("bonus = 5", r"bonus = 5: expected a list"),
        ("scoreless = true", "scoreless = True: expected a whole number from 0 to 1,000"),
        ("gain = 1", "gain = 1: expected true or false"),
    ],
)
def test_a_wrong_file_of_rules_is_refused_with_what_was_expected(
    text: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(RulesError, match=rf"own\.toml: .*{message}"):
        rule_set_of(str(tmp_path / "own.toml"))
    with pytest.raises(
        RulesError,
        match=r"rules 'klingon': expected one of any, .*, or a file whose name ends in \.toml",
    ):
        rule_set_of("klingon")


def test_a_game_that_names_no_rules_may_follow_those_of_its_tile_set(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text("bonus = [3]\n")
    tiles = tmp_path / "own.toml"
    own = (data_folder() / "tiles" / "english.toml").read_text()
    tiles.write_text(f'rules = "club.toml"\n{own}')
    for points, is_right in ((3, True), (5, True), (4, False)):
        text = HEAD + CAB + f">ann: DEFG (challenge) +{points} {14 + points}\n"
        assert judged(text, tiles=str(tiles)).valid == is_right
