"""Program code in a post: it is no claim and no turn, and no bad turn gets lost in it."""

import pytest

from tests.posts.test_threads import RECORD
from verify import judge, judge_all

TURNS = RECORD[:3]
SCORE = 207

PYTHON = """\
# replays an answer from standard input
import sys
from collections import Counter

size = 10
known = set(line.strip() for line in open("words.txt"))
row = "sd?zeioao?mluvepesceinf"
rack = []
score = 0
total=0
for line in sys.stdin:
    count, play, word = line.split()
    count = int(count)
    rack += row[:count]
    row = row[count:]
    if len(rack) > size:
        raise ValueError("too many tiles")
    points = 0

    for place, tile in enumerate(play):
        points += values[tile] * (place + 1)
    else:
        score += points
print(score)"""
PERL = """\
use strict;
my $score = 0;
$total=0;
while (<>) {
  my ($count, $play, $word) = split;
  $points = 5;
  $score += value($play);
}
print "$score\\n";"""
BASIC = """\
10 print x
20 let score = 0
30 score = 12
40 if score < 100 then 20
50 goto 10"""
JAVA = """\
public class Solver {
    static int score = 0;

    public static void main(String[] args) {
        total = 0;
        points = 5;
        System.out.println(score);
    }
}"""
HASKELL = """\
main = do
  row <- getLine
  let score = 0
  total = 100
  print (solve row)"""
LISP = """\
(define score 0)
(setq total 5)"""
GO = """\
func main() {
	score := 0
	total := 100
	for i := range row {
		total += 7
	}
}"""
BARE = "score = 0\ntotal=0\npoints = 5\n10 print x"
SOURCES = {
    "python": PYTHON, "perl": PERL, "basic": BASIC, "java": JAVA, "haskell": HASKELL, "lisp": LISP, "go": GO, "bare": BARE,
}  # fmt: skip
FORMS = {
    "indented": lambda code: "\n".join(f"    {line}" for line in code.split("\n")),
    "fenced": lambda code: f"```\n{code}\n```",
    "fenced with its language": lambda code: f"~~~python\n{code}\n~~~",
    "as text": lambda code: code,
    "quoted": lambda code: "\n".join(f"> {line}" for line in code.split("\n")),
    "a page": lambda code: f"<pre><code>{code.replace('&', '&amp;').replace('<', '&lt;')}</code></pre>",
}
POSTS = {
    "before": "Mine, in a language that I learn:\n\n{code}\n\nIt says:\n\n{turns}\n\nTotal: {score}\n",
    "behind": "My answer, found today.\n\n{turns}\n\nAnd what found it:\n\n{code}\n",
    "between two answers": "{turns}\n\n{code}\n\n**Another one**\n\n{turns}\n",
}


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("source", SOURCES)
def test_code_is_no_claim_no_turn_and_no_heading(source: str, form: str, post: str) -> None:
    code = FORMS[form](SOURCES[source])
    for turns in ("\n".join(f"    {turn}" for turn in TURNS), "\n".join(["```", *TURNS, "```"])):
        verdicts = judge_all(POSTS[post].format(code=code, turns=turns, score=SCORE))
        assert [(verdict.valid, verdict.score) for verdict in verdicts] == [(True, SCORE)] * (1 + ("two" in post))


def test_a_challenge_with_a_sample_and_a_script_is_a_valid_answer() -> None:
    text = "\n".join(
        [
            "# Description", "",
            "A row of tiles and a rack of 10 are given. Each turn you fill the rack from both ends, and play 1 word.",
            "Blanks are worth 0 points. Scores are the sum of value x place: 3 as in `cab`, and so on.", "",
            "# Sample", "",
            "The first column is the number of tiles from the left:", "",
            *(f"    {turn}" for turn in TURNS), "",
            f"This is worth {SCORE} points. I know of better ones; can you get more than 800?", "",
            "# Script", "", "This is how answers are checked:", "",
            *(f"    {line}" for line in PYTHON.split("\n")), "",
            "# Notes", "", "You can use any list of words, 3 letters or more.",
        ]
    )  # fmt: skip
    assert [(verdict.valid, verdict.score) for verdict in judge_all(text)] == [(True, SCORE)]


def test_code_right_below_the_turns_is_passed_over() -> None:
    assert judge("\n".join([*TURNS, *PYTHON.split("\n")])).valid
    assert judge("\n".join([*TURNS, "score = 0", "total=0"])).valid


@pytest.mark.parametrize("claim", ["Score: 961", "Total = 961", "score = 961", "I got 961", "Total: **961**"])
@pytest.mark.parametrize("behind", ["", "\n\nThe code is on my page.", "\n\n```python\nscore = 0\n```"])
def test_a_wrong_total_is_a_claim_still(claim: str, behind: str) -> None:
    verdict = judge("\n".join(["Mine, found today.", "", *TURNS, claim]) + behind)
    assert [fault.code for fault in verdict.violations] == ["score-claim"]


BAD = ["3 asp asps", "3 == asp asps", "asp asp", "3 asp = asps", "use asp", "5 print pride", "10 print x"]


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_turn_among_turns_is_no_code(bad: str) -> None:
    verdict = judge("\n".join(["Mine, found today.", "", *TURNS[:2], bad, TURNS[2]]))
    assert 5 in {fault.line for fault in verdict.violations}


@pytest.mark.parametrize("form", FORMS)
def test_a_turn_that_cannot_be_is_a_fault_next_to_code_too(form: str) -> None:
    code = FORMS[form]("\n".join([PYTHON, "3 asp asps", "total = 0"]))
    assert not judge("\n".join([*TURNS[:2], "", code])).valid


@pytest.mark.parametrize("turn", ["6 print print", "2 let let", "10 for for"])
def test_words_of_a_language_may_be_played(turn: str) -> None:
    verdict = judge("\n".join(["Mine, found today.", "", turn, "9 outmove outmove"]))
    assert verdict.turns[0].word == turn.split()[2]


def test_comments_at_the_edge_of_indented_code_state_no_rule() -> None:
    above = "    # rack 9\n    rack = []\n    rack += row[:left]\n"
    below = "    rack = []\n    rack += row[:left]\n    # bonus 5\n"
    for code in (above, below):
        assert judge(f"{code}\nMy answer:\n\n6 s?l?mnized solemnized\n").puzzle == "challenge"
    indented = judge("    # rack 11\n    6 s?l?mnized solemnized\n")
    assert "rack 11" in indented.puzzle
