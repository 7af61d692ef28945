"""What we write is read by others: the lines that macondo, Woogles, MAGPIE and Quackle read.

Woogles reads games with macondo's reader. Macondo and MAGPIE refuse a file with a line in no form
of theirs; Quackle passes over pragmata, and reads the words of an event one by one.
"""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_games import begun, random_game
from verify.scrabble.gcg import Kind, read_gcg, write_event, write_gcg
from verify.scrabble.tiles import tile_set_names

# pragmata that both know; MAGPIE takes each once, and a note only after an event
PRAGMATA = (
    r"#character-encoding \S+",
    r"#player[12]\s+\S+\s+.+",
    r"#(title|description|lexicon|game-type|board-layout|tile-distribution) .+",
    r"#id \S+ \S+",
    r"#rack[12] \S+",
    r"#note .+",
)
WHO = r">\S+:\s+"
# by the kind of an event, the form of its line that both read
EVENTS = {
    Kind.PLAY: WHO + r"\S+\s+\w+\s+\S+\s+\+\d+\s+\d+",
    Kind.PASS: WHO + r"\S+\s+-\s+\+0\s+-?\d+",
    Kind.EXCHANGE: WHO + r"\S+\s+-[^\s-]\S*\s+\+0\s+-?\d+",
    Kind.WITHDRAWN: WHO + r"\S+\s+--\s+-\d+\s+-?\d+",
    Kind.CHALLENGE: WHO + r"\S*\s+\(challenge\)\s+\+\d+\s+-?\d+",
    Kind.TIME: WHO + r"\S*\s+\(time\)\s+-\d+\s+-?\d+",
    Kind.RACK: WHO + r"(\((?!challenge|time)\S+\)\s+\+\d+|(\S+)\s+\(\2\)\s+-\d+)\s+-?\d+",
}


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**31),
    tiles=st.sampled_from(tile_set_names()),
    rules=st.sampled_from(["", "casual", "naspa", "wespa"]),
)
def test_every_line_of_a_game_at_the_table_is_in_the_forms_of_all_readers(
    seed: int, tiles: str, rules: str
) -> None:
    game = random_game(begun(seed, 2, tiles, rules))
    text = write_gcg(game.file)
    lines = text.splitlines()
    assert lines[0] == "#character-encoding UTF-8"
    pragmata = [line for line in lines if line.startswith("#")]
    assert len({line.split()[0] for line in pragmata}) == len(pragmata)
    for line in pragmata:
        assert any(re.fullmatch(form, line) for form in PRAGMATA), line
    for event, line in zip(game.events, lines[len(pragmata) :], strict=True):
        # in no other form, as which it would be another event
        forms = [kind for kind, form in EVENTS.items() if re.fullmatch(form, line)]
        assert forms == [event.kind], line
    file = read_gcg(text.encode())
    assert (file.pragma("bag-seed"), file.pragma("rules")) == (str(seed), game.rules.name)


@pytest.mark.parametrize(
    "line",
    [
        ">ann: AB? 8H A +0 0",
        ">ann: AB? - +0 0",
        ">ann: AB? -AB? +0 0",
        ">ann: AB? -- -0 0",
        ">ann: AB? (challenge) +0 0",
        ">ann:  (challenge) +0 0",
        ">ann: AB? (time) -0 0",
        ">ann:  (time) -0 0",
        ">ann: AB? (AB?) -0 0",
        ">ann: (A) +0 0",
    ],
)
def test_an_event_of_no_points_or_without_a_rack_is_written_in_these_forms(line: str) -> None:
    (event,) = read_gcg(line.encode()).events
    assert write_event(event) == f"{line}\n"
    assert re.fullmatch(EVENTS[event.kind], line)


def test_a_field_in_the_id_of_another_program_is_not_ours() -> None:
    assert read_gcg(b"#id rowdraw rules=wespa\n").pragma("rules") == "wespa"
    assert read_gcg(b"#id woogles rules=wespa\n").pragma("rules") == ""
