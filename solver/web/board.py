"""Answers to the Scrabble page, which keeps the game, as the text of a GCG file.

The server keeps nothing. Every answer is the whole position after the request. The rules are those
of `solver.scrabble.game`.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, wait
from threading import Lock, Thread
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from solver.errors import TableError
from solver.scrabble.bot import Bot, bot_of
from solver.scrabble.game import (
    TableGame,
    move_text,
    new_file,
    play_of,
    players_of,
    replayed,
    table_tiles,
)
from solver.scrabble.position import best_texts
from solver.scrabble.screen import last_text, result_text
from solver.scrabble.steps import board_fields, game_steps, grid_fields, unseen_fields
from verify.scrabble.board import Square
from verify.scrabble.gcg import Event, Player, write_gcg
from verify.scrabble.judge import DEFAULT_TILES, GameVerdict, judge_game
from verify.scrabble.lexicons import NONE, words_of_pragma
from verify.scrabble.tiles import TileSet, tile_set_names
from verify.text import printable, quote

_LONGEST_GAME = 200_000  # characters
_PATIENCE = 1.0  # seconds of one answer that wait for a bot that is loading
_NAME = "the game"  # in messages

Answer = dict[str, Any]

_Tile = tuple[int, int, Annotated[str, Meta(min_length=1, max_length=8)]]
_Laid = list[_Tile]
_Names = Annotated[list[str], Meta(max_length=4)]


class _Table:
    """One game while a request about it is answered.

    Args:
        text: The text of its file, as a page sends it.

    Raises:
        TableError: The text is not a game that this page has made.
    """

    def __init__(self, text: Any) -> None:
        self.game = replayed(_NAME, _checked(text).encode())
        self.words = words_of_pragma(self.game.lexicon, spelling=self.game.tiles.spelling)
        self.messages: list[str] = []

    def take(self, moves: Iterable[tuple[Event, str]]) -> Answer:
        """Carry out events and report them; return the position after them."""
        for event, sentence in moves:
            self.game.take(event)
            self.messages.append(sentence or last_text(self.game))
        return self.answer()

    def answer(self) -> Answer:
        """Return the position for the page.

        Before the end it holds one rack: that of the player on turn, but never the bot's. Who plays
        alone against the bot sees their rack all the time.
        """
        game = self.game
        tiles = game.tiles
        viewer = game.on_turn
        people = set(game.nicks) - {game.bot}
        if len(people) == 1:
            (viewer,) = people
        rack = ""
        if viewer != game.bot:
            rack = game.racks[viewer]
        unseen = unseen_fields(tiles, game.unseen(tiles.split(rack)))
        racks: Mapping[str, str] = {}  # of all, after the end
        result = ""
        if game.phase == "over":
            racks = game.racks
            rack = ""
            result = result_text(game)
        last: list[Square] = []
        challenged: Sequence[str] = []
        if game.last_play is not None:
            last = sorted(game.last_play.placed.new)
            challenged = game.last_play.placed.texts
        return {
            "game": write_gcg(game.file),
            "messages": list(map(printable, self.messages)),
            **board_fields(tiles),
            "judged": self.words.is_word is not None,
            "players": [
                {
                    "nick": player.nick,
                    "name": game.names[player.nick],
                    "total": game.totals[player.nick],
                    "count": len(tiles.split(game.racks[player.nick])),
                    "bot": player.nick == game.bot,
                    "rack": racks.get(player.nick),
                }
                for player in game.file.players
            ],
            "turn": game.nicks.index(game.on_turn),
            "rack": rack,
            "grid": grid_fields(game.grid),
            "last": last,
            "bag": len(game.bag),
            "exchange": len(game.bag) >= max(1, tiles.exchange),
            "end": game.can_end,
            "unseen": unseen,
            "phase": game.phase,
            "challenge": game.last_play is not None,
            "challenged": challenged,
            "events": [
                {
                    "player": game.nicks.index(event.player),
                    "text": move_text(event, word, hides_tiles=True),
                    "score": event.score,
                    "total": event.total,
                }
                for event, word in zip(game.events, game.main_words, strict=True)
            ],
            "result": result,
        }


class BoardDesk:
    """Answers the requests of pages."""

    def __init__(self) -> None:
        self._lock = Lock()  # the bot's generator serves one position at a time
        self._loading = Lock()
        self._bots: dict[tuple[str, str], Future[Bot]] = {}

    def start(self, names: Any, tiles: Any, against: Any) -> Answer:
        """Return a new game of the players `names`; if `against`, the bot joins as the last one."""
        with_bot = against is True
        players = _players(names, with_bot)
        if not isinstance(tiles, str):
            raise TableError("tiles: expected the name of a tile set")
        chosen = table_tiles(tiles)
        seed = random.SystemRandom().randrange(2**31)
        bot = players[-1].nick if with_bot else ""
        file = new_file(players, chosen, chosen.words or NONE, seed, bot=bot)
        table = _Table(write_gcg(file))
        if with_bot:
            self._bot(table)
        return table.answer()

    def sets(self) -> Answer:
        """Return the names of the tile sets, the English one first."""
        return {"sets": sorted(tile_set_names(), key=lambda name: name != DEFAULT_TILES)}

    def view(self, game: Any) -> Answer:
        """Return the position of a game."""
        return _Table(game).answer()

    def preview(self, game: Any, laid: Any) -> Answer:
        """Return place, tiles, score and words of the play that `laid` would be.

        Raises `TableError` if it is not allowed.
        """
        position = _Table(game).game
        event = _laid(position, laid)
        return {
            "place": event.place,
            "tiles": event.tiles,
            "score": event.score,
            "words": position.place(event).texts,
        }

    def move(self, game: Any, kind: Any, laid: Any, tiles: Any, wrong: Any) -> Answer:
        """Carry out a move of the player on turn.

        Args:
            game: The text of its file.
            kind: play, exchange, pass, challenge, or count: let the last play stand, and count the
                racks.
            laid: The tiles of a play, as [row, column, tile]; a blank is a small letter.
            tiles: The tiles of an exchange.
            wrong: The words of a challenged play that the players rule out, if no list of words
                judges them.
        """
        if kind not in ("play", "exchange", "pass", "challenge", "count"):
            raise TableError(
                f"move {quote(kind)}: expected play, exchange, pass, challenge, or count at the "
                "end of a game"
            )
        table = _Table(game)
        judge = table.words.is_word or _judge_without(wrong)
        if kind == "play":
            return table.take([(_laid(table.game, laid), "")])
        if kind != "exchange":
            tiles = ""
        elif not isinstance(tiles, str) or not tiles:
            raise TableError("choose the tiles to exchange")
        return table.take(table.game.moves(kind, "", tiles, judge))

    def undo(self, game: Any) -> Answer:
        """Take the last move back, and before it those of the bot."""
        table = _Table(game)
        table.game = table.game.undone()
        return table.answer()

    def bot(self, game: Any) -> Answer:
        """Let the bot move.

        It challenges a play with an invalid word, counts the racks at the end, or plays. While it
        is loading, the answer is the `stage` of that alone, and the page asks again.
        """
        table = _Table(game)
        if table.game.bot != table.game.on_turn or table.game.phase == "over":
            raise TableError("it is not the bot's turn")
        return self._with_bot(table, lambda bot: table.take(bot.turn(table.game)))

    def show(self, game: Any) -> Answer:
        """Return the game step by step, see `solver.scrabble.steps`."""
        return game_steps(_judged(_Table(game)), {})

    def compare(self, game: Any) -> Answer:
        """Return how each move compares with the best one, see `best_texts`.

        While the words are loading, the answer is the `stage` of that, as it is for `bot`.
        """
        table = _Table(game)
        if table.words.is_word is None:
            return {"best": {}}
        return self._with_bot(table, lambda bot: {"best": best_texts(_judged(table), bot)})

    def _with_bot(self, table: _Table, act: Callable[[Bot], Answer]) -> Answer:
        """Return what `act` answers with the bot of a game; the `stage` while that is loading."""
        bot = self._bot(table)
        if wait([bot], _PATIENCE).not_done:
            return {"stage": "reading the words"}
        with self._lock:
            return act(bot.result())

    def _bot(self, table: _Table) -> Future[Bot]:
        """Return the bot of a game, which a thread loads for the first one, or after a failure.

        Raises `TableError` without a word list.
        """
        # only lists by name come here, see `words_of_pragma`: a game decides not which files open
        if table.words.is_word is None:
            raise TableError(f"the bot cannot look for plays: {table.words.remark}")
        game = table.game
        key = (game.tiles.name, game.lexicon.lower())
        with self._loading:
            bot = self._bots.get(key)
            if bot is None or (bot.done() and bot.exception()):
                bot = Future()
                # a daemon: a server that ends does not wait for words that no one needs any more
                Thread(target=_load, args=(bot, game.tiles, game.lexicon), daemon=True).start()
                self._bots[key] = bot
        return bot


def _load(future: Future[Bot], tiles: TileSet, lexicon: str) -> None:
    try:
        future.set_result(bot_of(tiles, lexicon))
    except BaseException as failure:  # whoever asks for the bot gets it
        future.set_exception(failure)


# the methods of `BoardDesk` that pages call
REQUESTS = ("start", "sets", "view", "preview", "move", "undo", "bot", "show", "compare")


def _judged(table: _Table) -> GameVerdict:
    return judge_game(write_gcg(table.game.file).encode(), _NAME)


def _checked(text: Any) -> str:
    if not isinstance(text, str) or len(text) > _LONGEST_GAME:
        raise TableError(
            f"game: expected the text of a GCG file, at most {_LONGEST_GAME:,} characters"
        )
    return text


def _laid(game: TableGame, laid: Any) -> Event:
    """Return the event of a play from the squares and tiles that a page sends.

    Raises `TableError`.
    """
    try:
        entries = msgspec.convert(laid, _Laid)
    except msgspec.ValidationError as error:
        raise TableError("laid: expected a list of [row, column, tile]") from error
    tiles = {Square(row, column): tile for row, column, tile in entries}
    if not all(map(game.board.holds, tiles)):
        raise TableError("laid: expected squares of the board")
    return game.play(*play_of(game.grid, tiles))


def _judge_without(wrong: Any) -> Callable[[str], bool]:
    """Return a judge for whom all words are valid but those in `wrong`, a list or nothing."""

    def is_word(word: str) -> bool:
        return not isinstance(wrong, list) or word not in wrong

    return is_word


def _players(names: Any, with_bot: bool) -> tuple[Player, ...]:
    """Return the players of these names, and the bot if it plays. Raises `TableError`."""
    try:
        people = msgspec.convert(names, _Names)
    except msgspec.ValidationError as error:
        raise TableError("names: expected a list of 1 to 4 texts") from error
    if with_bot:
        people.append("bot")
    return players_of(people)
