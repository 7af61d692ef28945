"""How a game may end: by a player's decision, by passes, by going out; and who gets the tiles left."""

from pathlib import Path

import pytest

from verify.scrabble.judge import GameVerdict, judge_game
from verify.scrabble.rulings import Rulings

HEAD = "#player1 ann A\n#player2 bob B\n"
FOUR = HEAD + "#player3 cat C\n#player4 dan D\n"
ICELANDIC = "#tile-distribution icelandic\n"
PASSES = "".join(f">{nick}: - +0 {total}\n" for nick, total in (("bob", 0), ("ann", 14)) * 2)
LOST = ">bob: IQ (IQ) -11 -11\n>ann: DEFG (DEFG) -9 5\n"
OUT = "made the last play and loses tiles"


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """A set of five tiles: three are played, two are left."""
    file = tmp_path / "tiny.toml"
    file.write_text("[values]\na = 1\nb = 3\nc = 3\ni = 1\nq = 10\n[counts]\na = 1\nb = 1\nc = 1\ni = 1\nq = 1\n")
    return str(file)


def judged(text: str, end: str | None = None, tiles: str | None = None, scoreless: int | None = None) -> GameVerdict:
    return judge_game(text.encode(), words="none", tiles=tiles, rulings=Rulings(end=end, scoreless=scoreless))


def messages(verdict: GameVerdict) -> list[str]:
    return [f"{fault.code}: {fault.message}" for fault in verdict.violations]


@pytest.mark.parametrize("scoreless", [None, 6])
@pytest.mark.parametrize("turn", ["-", "-ABC"])
def test_turns_without_a_score_end_no_game_on_an_empty_board(scoreless: int | None, turn: str) -> None:
    """The rules of Scrabble: a game can be ended after six scoreless turns only once a tile lies on the board."""
    turns = "".join(f">ann: ABCDEFG {turn} +0 0\n>bob: - +0 0\n" for _ in range(3))
    assert judged(HEAD + turns + ">ann: ABCDEFG 8H CAB +14 14\n", scoreless=scoreless).valid
    verdict = judged(HEAD + turns + ">ann: E (E) -1 -1\n>bob: A (A) -1 -1\n", scoreless=scoreless)
    (fault,) = messages(verdict)
    assert fault.startswith("wrong-end: tiles are lost after 6 turns on an empty board without a score: expected 6 and a tile")


def test_a_play_that_was_challenged_off_leaves_an_empty_board() -> None:
    turns = ">ann: ABCDEFG 8H CAB +14 14\n>ann: ABCDEFG -- -14 0\n" + ">bob: - +0 0\n>ann: - +0 0\n" * 3
    assert [fault.code for fault in judged(HEAD + turns + ">bob: E (E) -1 -1\n>ann: A (A) -1 -1\n").violations] == ["wrong-end"]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("named", ["", "#end-rule deduct\n", "option"])
def test_two_passes_of_every_player_end_an_icelandic_game_and_all_lose_their_tiles(players: int, named: str) -> None:
    """Icelandic rules: all have passed twice in a row; each loses what is left."""
    nicks = ["ann", "bob", "cat", "dan"][:players]
    head = (HEAD if players == 2 else FOUR) + ICELANDIC + (named if named != "option" else "")
    end = "deduct" if named == "option" else None
    passes = "".join(f">{nick}: - +0 0\n" for nick in nicks)
    lost = "".join(f">{nick}: A (A) -1 -1\n" for nick in nicks)
    assert messages(judged(head + passes * 2 + lost, end)) == []
    assert [fault.code for fault in judged(head + passes + lost, end).violations] == ["wrong-end"]
    only = judged(head + passes * 2 + lost[: lost.index(">bob")], end)
    assert messages(only) == ["wrong-end: only 'ann' loses the own tiles: expected every player"]
    assert messages(judged(head + passes * 2 + lost, "gain"))[0].startswith("wrong-end: ")


def test_play_goes_on_after_two_passes_each_only_where_the_rule_is_not_named() -> None:
    """Icelandic rules end the game there; tournaments play on."""
    text = ICELANDIC + ">ann: - +0 0\n>bob: - +0 0\n" * 2 + ">ann: A - +0 0\n"
    assert judged(HEAD + text).valid
    after = "after-end: the game is over, because every player passed twice in a row: expected no further turn"
    assert messages(judged(HEAD + text, "deduct")) == [after]
    assert messages(judged(HEAD + "#end-rule deduct\n" + text)) == [after]
    assert judged(HEAD + "#end-rule deduct\n" + text, "gain").valid


@pytest.mark.parametrize(
    ("end", "rule", "expected"),
    [
        (">bob: IQ (IQ) -11 -11\n", "deduct", None),
        (">bob: - +0 0\n>bob: IQ (IQ) -11 -11\n", "deduct", None),
        (">bob: I (I) -1 -1\n", "deduct", "'I' are lost: expected all tiles that are left, 'IQ'"),
        (">ann: I (I) -1 13\n>bob: Q (Q) -10 -10\n", "deduct", OUT),
        (">ann: (IQ) +22 36\n", "deduct", "'ann' gets the tiles that are left: expected no gain by the rule 'deduct'"),
        (">ann: (IQ) +11 25\n>bob: IQ (IQ) -11 -11\n", "deduct", "expected no gain"),
        (">bob: IQ (IQ) -11 -11\n", None, "tiles are lost after a turn with a score: expected the other player to get them"),
        (">bob: IQ (IQ) -11 -11\n", "gain", "expected the other player to get them"),
        (">ann: (IQ) +22 36\n", "gain", None),
    ],
)
def test_the_player_who_goes_out_gets_the_tiles_left_or_not_by_the_rule(
    end: str, rule: str | None, expected: str | None, tiny: str
) -> None:
    """Icelandic rules: the one who is out does not gain; federations: that player gets the tiles of the others."""
    found = messages(judged(f"{HEAD}>ann: ABC 8H CAB +14 14\n{end}", rule, tiny))
    assert len(found) == (expected is not None)
    assert expected is None or expected in found[0]


def test_both_rules_are_right_for_icelandic_tiles_and_one_of_them_for_the_others(tiny: str) -> None:
    """Icelandic tables deduct, and Icelandic tournaments let the player who is out gain."""
    text = Path(tiny).read_text()
    Path(tiny).write_text('end = "deduct"\n' + text)
    for end in (">bob: IQ (IQ) -11 -11\n", ">ann: (IQ) +22 36\n"):
        assert judged(f"{HEAD}>ann: ABC 8H CAB +14 14\n{end}", None, tiny).valid


@pytest.mark.parametrize("players", [3, 4])
def test_a_gain_needs_the_losses_of_the_others_if_there_are_several(players: int, tiny: str) -> None:
    """The rules of Scrabble for three or four: the one who is out gets what the others lose."""
    head = "".join(FOUR.splitlines(keepends=True)[:players])
    play = ">ann: ABC 8H CAB +14 14\n"
    losses = ">bob: I (I) -1 -1\n>cat: Q (Q) -10 -10\n"
    assert judged(head + play + losses + ">ann: (IQ) +11 25\n", None, tiny).valid
    for end in (">ann: (IQ) +11 25\n", ">ann: (IQ) +11 25\n>bob: I (I) -1 -1\n"):
        (fault,) = messages(judged(head + play + end, None, tiny))
        assert fault.startswith("wrong-end: +11 for the tiles of others: expected them to lose 11, not ")
    assert judged(head + play + losses, "deduct", tiny).valid


def test_an_unknown_rule_of_the_end_is_a_fault_unless_an_option_names_one() -> None:
    text = HEAD + "#end-rule never\n>ann: ABCDEFG 8H CAB +14 14\n"
    assert messages(judged(text)) == ["unknown-end: end rule 'never': expected one of gain, deduct"]
    assert judged(text, "gain").valid


def test_an_automatic_end_is_an_option() -> None:
    """The rules of Scrabble leave the end to the players; federations end a game after six scoreless turns."""
    start = HEAD + ">ann: ABCDEFG 8H CAB +14 14\n" + PASSES
    play = ">bob: AEINRST 9I AS +10 10\n"
    assert judged(start + play).valid
    assert judged(start + play, scoreless=6).valid
    assert [fault.code for fault in judged(start + play, scoreless=4).violations] == ["after-end"]
    assert judged(start + LOST, scoreless=4).valid
    assert messages(judged(start + LOST)) == [
        "wrong-end: tiles are lost after 4 turns without a score: expected 6 and a tile on the board"
    ]
