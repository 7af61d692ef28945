"""The model of a game: tiles, racks, words, puzzles, turns and solutions."""
