"""The rules of the row-draw puzzle, and the referee that replays an answer by them."""
