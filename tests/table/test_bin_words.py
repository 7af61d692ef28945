"""`rowdraw scrabble best` with the words of BÍN, of which a graph of nearly four million words is built."""

from pathlib import Path

from solver.scrabble.position import best_moves, position_words, ranking_of, read_position
from tests.table.test_position import HEAD, written


def test_words_of_bin_are_judged_one_by_one_as_the_referee_does(tmp_path: Path) -> None:
    text = HEAD + "#tile-distribution icelandic\n#lexicon bin\n>ann: HESTUR? 8H HESTUR +18 18\n>bob: ÁSTARÐI - +0 0\n"
    position = read_position(f"{written(tmp_path, text)}#2", None)
    words, is_word = position_words(position, None)
    assert is_word is not None
    found = best_moves(position, ranking_of(position, words, is_word), position.rack("ÁSTARÐI"), 30)
    refused = found[0].word
    others = best_moves(
        position, ranking_of(position, words, lambda word: word != refused and is_word(word)), position.rack("ÁSTARÐI"), 30
    )
    assert refused not in {move.word for move in others}
    assert [move for move in found if move.word != refused] == others[: len(found) - sum(m.word == refused for m in found)]
