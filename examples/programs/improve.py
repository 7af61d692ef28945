"""A program for `command-json:`: random games, of which it prints each that is the best so far.

It needs Python alone. Its input is the puzzle as JSON, an empty line ends each answer, and it ends
by itself before the limit.
"""

import json
import random
import sys
import time
from collections import Counter

WORDS_TRIED = 10_000  # in a turn, few, so that it is chosen quickly


def play_of(word, rack):
    """The tiles of `rack` that lay down `word`, blanks where letters are missing.

    None where they do not suffice.
    """
    left, play = Counter(rack), ""
    for letter in word:
        tile = letter if left[letter] else "?"
        if not left[tile]:
            return None
        left[tile] -= 1
        play += tile
    return play


def random_game(puzzle, words, rng):
    """The lines and the score of a game: each turn is the best of a few random draws and words."""
    row, rack, lines, total = puzzle["row"], "", [], 0
    while row or rack:
        wanted = min(puzzle["rack"] - len(rack), len(row))
        best = (-1, 0, "", "")
        for word in rng.sample(words, min(WORDS_TRIED, len(words))):
            left = rng.randint(0, wanted)
            play = play_of(word, rack + row[:left] + row[len(row) - (wanted - left) :])
            if play is not None:
                score = sum(
                    place * puzzle["values"].get(tile, 0)
                    for place, tile in enumerate(play, start=1)
                )
                best = max(best, (score, left, play, word))
        score, left, play, word = best
        if score < 0:
            break
        rack = "".join(
            (
                Counter(rack + row[:left] + row[len(row) - (wanted - left) :]) - Counter(play)
            ).elements()
        )
        row = row[left : len(row) - (wanted - left)]
        lines.append(f"{left} {play} {word}")
        total += score
    return lines, total


def main():
    """Print better and better games until time is nearly up; without a limit for two seconds."""
    started = time.monotonic()
    puzzle = json.load(sys.stdin)
    seconds = 2.0 if puzzle["seconds"] is None else puzzle["seconds"]
    rng = random.Random(puzzle["seed"])
    with open(puzzle["words"], encoding="utf-8") as file:
        # words without the letters of the row are left out, the others drawn by lot
        tiles = set(puzzle["row"])
        words = [
            word
            for word in file.read().split()
            if len(word) <= puzzle["rack"] and ("?" in tiles or tiles >= set(word))
        ]
    best = -1
    while time.monotonic() - started < 0.9 * seconds or best < 0:
        lines, score = random_game(puzzle, words, rng)
        if lines and score > best:
            best = score
            print("\n".join(lines), end="\n\n", flush=True)


main()
