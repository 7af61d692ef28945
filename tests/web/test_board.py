"""What the server answers to the page of the Scrabble table, and what it refuses."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.errors import TableError
from solver.scrabble.game import Store, game_text, new_file
from solver.web.board import BoardDesk
from tests.web.board_pages import late_game, new_game, new_game_with, new_tiles, player
from tests.web.serving import Server
from verify.scrabble.gcg import Kind, read_gcg, write_gcg
from verify.scrabble.judge import judge_game


@pytest.fixture(scope="module")
def desk() -> BoardDesk:
    return BoardDesk()


def play_best(desk: BoardDesk, answer: dict[str, Any]) -> dict[str, Any]:
    """Make the best play by its squares."""
    game = read_game(answer)
    event = player().move(game)
    laid: list[list[Any]] = []
    if event.kind is Kind.PLAY:
        laid = [
            [square.row, square.column, tile] for square, tile in new_tiles(game, event).items()
        ]
        preview = desk.preview(answer["game"], laid)
        assert preview["score"] == event.score
    kind = {Kind.PLAY: "play", Kind.EXCHANGE: "exchange", Kind.PASS: "pass"}[event.kind]
    return desk.move(answer["game"], kind, laid, event.tiles, None)


def read_game(answer: dict[str, Any]) -> Any:
    from solver.scrabble.game import replayed

    return replayed("answer", answer["game"].encode())[1]


def test_a_game_against_the_bot_ends_and_is_saved_and_resumed(
    desk: BoardDesk, tmp_path: Path
) -> None:
    answer = desk.start(["Ann"], "english", True)
    assert [(player["nick"], player["bot"]) for player in answer["players"]] == [
        ("Ann", False),
        ("bot", True),
    ]
    late = late_game("ann bot")
    answer = desk.view(write_gcg(replace(new_file(late.setup, "bot"), events=tuple(late.events))))
    while answer["phase"] != "over":
        if answer["players"][answer["turn"]]["bot"]:
            assert answer["rack"] == read_game(answer).racks["ann"]  # the page gets no other
            answer = desk.bot(answer["game"])
        elif answer["phase"] == "move":
            answer = play_best(desk, answer)
        else:
            answer = desk.move(answer["game"], "count", None, None, None)
    verdict = judge_game(answer["game"].encode())
    assert (verdict.valid, verdict.finished) == (True, True), verdict.as_text()
    assert any("." in event.tiles for event in read_game(answer).events)
    assert not any(
        "." in event["text"] for event in answer["events"]
    )  # but the letters of the board
    file = tmp_path / "game.gcg"
    file.write_text(answer["game"])
    store, game = Store.open(file)
    assert (store.bot, game.finished) == ("bot", True)
    steps = desk.show(answer["game"])
    assert len(steps["events"]) == len(game.events)


def test_the_bot_challenges_a_play_with_an_invalid_word_says_so_and_moves(desk: BoardDesk) -> None:
    game = new_game_with("V", names="ann bot")
    text = write_gcg(new_file(game.setup, "bot"))
    answer = desk.move(
        text, "play", [[7, 7, "V"], [7, 8, game.rack.replace("V", "")[0]]], None, None
    )
    answer = desk.bot(answer["game"])
    challenged, moved = answer["messages"]
    assert challenged.startswith("Bot challenges: ")
    assert challenged.endswith("not valid; Ann takes the play back")
    assert moved.startswith("Bot plays ")
    assert answer["turn"] == 0
    with pytest.raises(TableError, match="nothing to undo"):
        desk.undo(
            desk.undo(answer["game"])["game"]
        )  # what the bot has done is taken back with the play before it


def test_the_racks_of_others_are_in_no_answer_before_the_end(desk: BoardDesk) -> None:
    game = new_game(3, names="ann bob cy")
    answer = desk.view(game_text(game))
    assert answer["rack"] == game.rack
    assert [player["rack"] for player in answer["players"]] == [None, None, None]
    assert sum(answer["unseen"].values()) == 100 - 7
    passed = desk.move(answer["game"], "exchange", None, game.rack[:3], None)
    assert passed["events"][-1]["text"] == "exchanges 3 tiles"
    assert passed["messages"] == ["Ann exchanges 3 tiles, +0, 0 in all"]


def test_tile_after_tile_is_judged_without_a_replay_of_the_game(
    desk: BoardDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_text(new_game(4))
    laid = [
        [7, 7 + place, tile] for place, tile in enumerate(new_game(4).rack.replace("?", "")[:3])
    ]
    two = desk.preview(game, laid[:2])
    monkeypatch.setattr("solver.web.board.replayed", None)
    assert len(desk.preview(game, laid)["words"][0]) == len(two["words"][0]) + 1


def test_a_game_that_names_a_file_as_its_word_list_opens_no_file(
    desk: BoardDesk, tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("ab\n")
    game = new_game(6, names="bot ann")
    text = write_gcg(new_file(game.setup, "bot")).replace("#lexicon enable1", f"#lexicon {words}")
    assert not desk.view(text)["judged"]
    with pytest.raises(TableError, match="not bundled"):
        desk.bot(text)


@pytest.mark.parametrize(
    ("names", "tiles", "against", "expected"),
    [
        (["ann", "bob"], "english", True, "names: expected 1"),
        (["ann", "x" * 21], "english", False, "expected 1 to 20 characters"),
        (["bot"], "english", True, "different"),
        ([1, 2], "english", False, "names"),
        (["ann", "bob"], "klingon", False, "english, icelandic"),
    ],
)
def test_a_game_of_impossible_players_or_tiles_is_refused(
    desk: BoardDesk, names: Any, tiles: Any, against: bool, expected: str
) -> None:
    with pytest.raises(TableError, match=expected):
        desk.start(names, tiles, against)


def test_what_no_page_sends_is_refused(desk: BoardDesk) -> None:
    for text in (None, 7, "", "x" * 200_001, "#player1 a A\n#player2 b B\n", "#bag-seed 1\n"):
        with pytest.raises(TableError):
            desk.view(text)
    game = game_text(new_game(9))
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


def test_a_game_that_the_seed_does_not_give_is_refused(desk: BoardDesk) -> None:
    played = play_best(desk, desk.view(game_text(new_game(8))))["game"]
    file = read_gcg(played.encode())
    with pytest.raises(TableError, match=rf"the game:{file.events[0].line}: "):
        desk.view(played.replace("#bag-seed 8", "#bag-seed 9"))


def test_the_page_and_its_answers_come_from_the_server(server: Server) -> None:
    import urllib.request

    with urllib.request.urlopen(f"{server.address}board") as page:
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert b"static/board/main.js" in page.read()
    status, answer = server.ask(
        "board/start", {"names": ["ann", "bob"], "tiles": "icelandic", "against": False}
    )
    assert (status, answer["tiles"], answer["phase"]) == (200, "icelandic", "move")
    status, answer = server.ask("board/view", {"game": "nothing"})
    assert (status, list(answer)) == (200, ["error"])
