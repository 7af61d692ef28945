"""Random legal games of Scrabble in GCG, the raw material of tests."""

import random
from collections import Counter

from verify.scrabble.board import SIZE, Square, standard_board
from verify.scrabble.gcg import Event, GameFile, Kind, Player
from verify.scrabble.play import Grid, place_play, place_text, score_play
from verify.scrabble.tiles import TileSet, tile_set

SCORELESS = 6


class Simulation:
    """A game between players who lay down any letters at random, so that words do not matter and every rule does."""

    def __init__(self, seed: int, players: int = 2, tiles: str = "english") -> None:
        self.rng = random.Random(seed)
        self.tiles: TileSet = tile_set(tiles)
        self.bag = sorted(self.tiles.bag().elements())
        self.rng.shuffle(self.bag)
        self.nicks = [f"p{i}" for i in range(1, players + 1)]
        self.racks = {nick: self._draw([]) for nick in self.nicks}
        self.totals = dict.fromkeys(self.nicks, 0)
        self.grid: Grid = {}
        self.events: list[Event] = []

    def play(self, turns: int) -> GameFile:
        """Return a game of at most `turns` turns, with a proper end if a player goes out."""
        scoreless = 0
        for turn in range(turns):
            nick, before = self.nicks[turn % len(self.nicks)], len(self.events)
            choice = self.rng.random()
            if choice < 0.1 and len(self.bag) >= 7:
                self._exchange(nick)
            elif choice < 0.15 or not self._lay(nick, withdraw=choice > 0.9):
                self._add(Kind.PASS, nick, 0)
            if not self.racks[nick]:
                self._go_out(nick)
                break
            # a play that was withdrawn brought nothing
            scoreless = 0 if sum(event.score for event in self.events[before:]) > 0 else scoreless + 1
            if scoreless == SCORELESS and self.grid:
                break  # a player ends the game, and the tiles left are not counted
        players = tuple(Player(nick, f"Player {nick[1:]}") for nick in self.nicks)
        pragmata = (("title", "random"), ("tile-distribution", self.tiles.name))
        return GameFile(players, pragmata, "", tuple(self.events))

    def _draw(self, rack: list[str]) -> list[str]:
        while len(rack) < 7 and self.bag:
            rack.append(self.bag.pop())
        return rack

    def _add(self, kind: Kind, nick: str, score: int, place: str = "", tiles: str = "", note: str = "") -> None:
        self.totals[nick] += score
        rack = "".join(self.racks[nick])
        self.events.append(Event(kind, nick, rack, place, tiles, score, self.totals[nick], "", note))

    def _exchange(self, nick: str) -> None:
        given = self.rng.sample(self.racks[nick], self.rng.randint(1, len(self.racks[nick])))
        self._add(Kind.EXCHANGE, nick, 0, tiles="".join(given))
        for tile in given:
            self.racks[nick].remove(tile)
        self._draw(self.racks[nick])
        self.bag += given
        self.rng.shuffle(self.bag)

    def _lay(self, nick: str, withdraw: bool) -> bool:
        rack = self.racks[nick]
        for _ in range(200):
            count = self.rng.randint(2 if not self.grid else 1, len(rack)) if len(rack) > 1 else 1
            held = self.rng.sample(rack, count)
            letters = sorted(self.tiles.values)
            laid = [tile if tile != "?" else self.rng.choice(letters).lower() for tile in held]
            start = self._start()
            across = self.rng.random() < 0.5
            text, square = "", start
            pending = list(laid)
            while pending and standard_board().holds(square):
                text += "." if square in self.grid else pending.pop(0)
                square = square.next(across)
            while standard_board().holds(square) and square in self.grid:
                text += "."
                square = square.next(across)
            before = start.next(across, -1)
            if pending or before in self.grid:
                continue
            placed = place_play(standard_board(), self.grid, start, across, text)
            if placed.faults:
                continue
            score = score_play(standard_board(), self.grid, placed, self.tiles)
            self._add(
                Kind.PLAY, nick, score, place_text(start, across), text, self.rng.choice(["", "", "a note", "two\nlines #x"])
            )
            if withdraw:
                self._add(Kind.WITHDRAWN, nick, -score)
                return True
            self.grid.update(placed.new)
            left = Counter(rack) - Counter(held)
            self.racks[nick] = self._draw(sorted(left.elements()))
            if self.rng.random() < 0.1:
                self._add(Kind.CHALLENGE, nick, 5)
            return True
        return False

    def _start(self) -> Square:
        if not self.grid:
            return standard_board().centre
        near = self.rng.choice(sorted(self.grid))
        return Square(
            min(SIZE - 1, max(0, near.row + self.rng.randint(-3, 1))),
            min(SIZE - 1, max(0, near.column + self.rng.randint(-3, 1))),
        )

    def _go_out(self, nick: str) -> None:
        others = "".join(tile for other in self.nicks if other != nick for tile in self.racks[other])
        value = self.tiles.rack_value(others)
        score = 2 * value if len(self.nicks) == 2 else value
        for other in self.nicks if len(self.nicks) > 2 else []:
            if held := "".join(self.racks[other]):
                self._add(Kind.RACK, other, -self.tiles.rack_value(held), tiles=held)
        self.totals[nick] += score
        self.events.append(Event(Kind.RACK, nick, "", "", others, score, self.totals[nick]))
