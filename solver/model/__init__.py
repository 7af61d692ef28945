"""What a game is: tiles, racks, words, puzzles, turns and solutions."""
