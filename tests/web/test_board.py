"""What the server answers to the page of the Scrabble table, and what it refuses."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from solver.errors import TableError
from solver.scrabble.bot import Bot, bot_of
from solver.scrabble.game import TableGame, replayed
from solver.web.board import BoardDesk
from tests.web.board_pages import late_game, new_game, new_game_with
from verify.scrabble.gcg import TURNS, write_gcg
from verify.scrabble.judge import judge_game


@pytest.fixture(scope="module")
def desk() -> BoardDesk:
    return BoardDesk()


def bot_move(desk: BoardDesk, game: str) -> dict[str, Any]:
    """Wait until the bot has loaded, and return the position after its move."""
    while "stage" in (answer := desk.bot(game)):
        pass
    return answer


def read_game(answer: dict[str, Any]) -> TableGame:
    return replayed("answer", answer["game"].encode())


def test_a_game_against_the_bot_ends_and_its_moves_are_compared(desk: BoardDesk) -> None:
    answer = desk.view(write_gcg(late_game("ann bot").file))
    while answer["phase"] != "over":
        if answer["players"][answer["turn"]]["bot"]:
            assert answer["rack"] == read_game(answer).racks["ann"]  # the page gets no other
            answer = bot_move(desk, answer["game"])
        else:
            kind = "pass" if answer["phase"] == "move" else "count"
            answer = desk.move(answer["game"], kind, None, None, None)
    verdict = judge_game(answer["game"].encode())
    assert (verdict.valid, verdict.finished) == (True, True), verdict.as_text()
    assert any("." in event.tiles for event in read_game(answer).events)
    # the page gets the letters of the board
    assert not any("." in event["text"] for event in answer["events"])
    compared = desk.compare(answer["game"])["best"]
    assert len(compared) == sum(event.kind in TURNS for event in read_game(answer).events)


def test_the_bot_challenges_a_play_with_an_invalid_word_says_so_and_moves(desk: BoardDesk) -> None:
    game = new_game_with("V", names="ann bot")
    text = write_gcg(game.file)
    other = game.rack.replace("V", "")[0]
    played = desk.move(text, "play", [[7, 7, "V"], [7, 8, other]], None, None)
    answer = bot_move(desk, played["game"])
    challenged, moved = answer["messages"]
    assert challenged.startswith("Bot challenges: ")
    assert challenged.endswith("not valid; Ann takes the play back")
    assert moved.startswith("Bot plays ")
    assert answer["turn"] == 0
    # what the bot has done is taken back with the play before it
    undone = desk.undo(answer["game"])
    with pytest.raises(TableError, match="nothing to undo"):
        desk.undo(undone["game"])


def test_a_bot_that_is_loading_answers_what_it_does_until_it_can_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_load = Event()

    def slow_bot_of(*game: Any) -> Bot:
        assert may_load.wait(60)
        return bot_of(*game)

    monkeypatch.setattr("solver.web.board.bot_of", slow_bot_of)
    monkeypatch.setattr("solver.web.board._PATIENCE", 0.01)
    desk = BoardDesk()
    game = desk.start(["Ann"], "english", True)["game"]
    passed = desk.move(game, "pass", None, None, None)["game"]
    assert desk.bot(passed) == {"stage": "reading the words"}
    may_load.set()
    monkeypatch.setattr("solver.web.board._PATIENCE", 60.0)
    assert desk.bot(passed)["messages"][0].startswith("bot ")


def test_the_racks_of_others_are_in_no_answer_before_the_end(desk: BoardDesk) -> None:
    game = new_game(3, names="ann bob cy")
    answer = desk.view(write_gcg(game.file))
    assert answer["rack"] == game.rack
    assert [player["rack"] for player in answer["players"]] == [None, None, None]
    assert sum(answer["unseen"].values()) == 100 - 7
    passed = desk.move(answer["game"], "exchange", None, game.rack[:3], None)
    assert passed["events"][-1]["text"] == "exchanges 3 tiles"
    assert passed["messages"] == ["Ann exchanges 3 tiles, +0, 0 in all"]


def test_tiles_that_are_laid_are_judged_before_the_move(desk: BoardDesk) -> None:
    game = write_gcg(new_game(4).file)
    tiles = new_game(4).rack.replace("?", "")
    laid = [[7, 7 + place, tiles[place]] for place in range(3)]
    two = desk.preview(game, laid[:2])
    assert len(desk.preview(game, laid)["words"][0]) == len(two["words"][0]) + 1


def test_a_game_that_names_a_file_as_its_word_list_opens_no_file(
    desk: BoardDesk, tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("ab\n")
    game = new_game(6, names="bot ann")
    text = write_gcg(game.file).replace("#lexicon enable1", f"#lexicon {words}")
    assert not desk.view(text)["judged"]
    with pytest.raises(TableError, match="not bundled"):
        desk.bot(text)


@pytest.mark.parametrize(
    ("names", "tiles", "against", "expected"),
    [
        (["ann"], "english", False, "expected 2 to 4"),
        (["ann", "x" * 21], "english", False, "expected 1 to 20 characters"),
        (["bot"], "english", True, "different"),
        ([1, 2], "english", False, "names"),
        (["ann", "bob"], "klingon", False, "icelandic, italian"),
    ],
)
def test_a_game_of_chosen_tiles_begins_and_one_of_impossible_players_or_tiles_is_refused(
    desk: BoardDesk, names: Any, tiles: Any, against: bool, expected: str
) -> None:
    assert "Ð" in desk.start(["ann", "bob"], "icelandic", False)["values"]
    with pytest.raises(TableError, match=expected):
        desk.start(names, tiles, against)


def test_what_no_page_sends_is_refused(desk: BoardDesk) -> None:
    for text in (None, 7, "", "x" * 200_001, "#player1 a A\n#player2 b B\n", "#bag-seed 1\n"):
        with pytest.raises(TableError):
            desk.view(text)
    game = write_gcg(new_game(9).file)
    laid: list[Any] = [
        None,
        "A",
        [None],
        [[7, 7]],
        [["7", 7, "A"]],
        [[7, 7, 1]],
        [[7, 7, "AB"]],
        [[7, True, "A"]],
        [[99, 99, "A"]],
        [[0, -100, "A"]],
    ]
    for tiles in laid:
        with pytest.raises(TableError):
            desk.preview(game, tiles)
    kinds: list[Any] = [None, "steal", "count", "challenge", "exchange", ["play"]]
    for kind in kinds:
        with pytest.raises(TableError):
            desk.move(game, kind, None, None, None)
    with pytest.raises(TableError, match="not the bot's turn"):
        desk.bot(game)
