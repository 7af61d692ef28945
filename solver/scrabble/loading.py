"""Loads the bot of a table in the background, so that people can play while it reads its words."""

from collections.abc import Callable
from threading import Thread

from solver.scrabble.bot import Bot
from solver.scrabble.game import Setup, TableGame
from solver.scrabble.graph import words_of
from solver.scrabble.leaves import bundled_leaves

_PAUSE = 0.2  # seconds between two looks at a bot that is loading


class BotLoader:
    """Loads a bot in a thread. The first time with a list may take a minute; then the cache has its words.

    Args:
        setup: The setup of the game.
        lexicon: The name of the word list.
        is_word: Returns whether a word of a play is valid.
    """

    def __init__(self, setup: Setup, lexicon: str, is_word: Callable[[str], bool]) -> None:
        self._setup, self._lexicon, self._is_word = setup, lexicon, is_word
        self._stage = "reading the words"
        self._loaded: Bot | None = None
        self._failure: Exception | None = None
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to load, unless it has begun."""
        if self._thread is None:
            # a daemon: a player who quits does not wait for words that no one needs any more
            self._thread = Thread(target=self._load, daemon=True)
            self._thread.start()

    def bot(self, show: Callable[[str], None]) -> Bot:
        """Return the bot; until it is loaded call `show` with what is being done.

        Raises:
            TableError: The word list cannot be read.
        """
        self.start()
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(_PAUSE)
            if self._thread.is_alive():
                show(self._stage)
        if self._loaded is None:
            failure, self._thread, self._failure = self._failure, None, None  # the next call tries again
            raise failure or RuntimeError("the bot was not loaded")
        return self._loaded

    def _load(self) -> None:
        try:
            tiles = self._setup.tiles
            words = words_of(self._lexicon, tiles, self._tell)
            self._tell("compiling the search for plays")
            bot = Bot(words, tiles, self._is_word, bundled_leaves(tiles.name))
            next(bot.plays(TableGame(self._setup)), None)
            self._loaded = bot
        except Exception as failure:  # whoever asks for the bot gets it
            self._failure = failure

    def _tell(self, stage: str) -> None:
        self._stage = stage
