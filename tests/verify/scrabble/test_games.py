"""Whole games: random legal ones referee clean, each mutation gets its code, real ones agree, arbitrary bytes never crash."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.process import rowdraw
from tests.verify.scrabble.games import Simulation
from verify.replay.rules import RulesError
from verify.scrabble.gcg import Event, GameFile, Kind, is_gcg, read_gcg, write_gcg
from verify.scrabble.judge import GameVerdict, judge_game
from verify.scrabble.rulings import Rulings
from verify.scrabble.tiles import tile_set

TOKENS = [
    ">ann:",
    ">bob:",
    ">:",
    "#note",
    "#player1",
    "ann",
    "ABC?",
    "8H",
    "H8",
    "CAB",
    "c.b",
    "-",
    "--",
    "-AB",
    "-3",
    "(AB)",
    "(challenge)",
    "(time)",
    "+10",
    "-5",
    "15",
    "0",
    "#tile-distribution",
    "icelandic",
    "#lexicon",
    "Æð",
    "99Z",
]
HEAD = "#player1 ann Ann Lee\n#player2 bob Bob\n"


def judged(text: str, **options: str | None) -> GameVerdict:
    return judge_game((HEAD + text).encode(), words=options.pop("words", "none"), **options)


def codes(text: str, **options: str | None) -> list[tuple[int, str]]:
    return [(fault.line - 2, fault.code) for fault in judged(text, **options).violations]


@settings(max_examples=60)
@example(seed=99_999_999, players=3, tiles="english")  # six turns without points, two of them withdrawn plays
@given(seed=st.integers(0, 10**9), players=st.integers(2, 4), tiles=st.sampled_from(["english", "icelandic"]))
def test_a_random_legal_game_referees_clean_and_round_trips(seed: int, players: int, tiles: str) -> None:
    game = Simulation(seed, players, tiles).play(30)
    text = write_gcg(game)
    assert read_gcg(text.encode()) == game
    verdict = judge_game(text.encode(), words="none")
    assert verdict.valid, verdict.as_text()
    assert verdict.tiles == tiles
    last = {event.player: event.total for event in game.events}
    assert {nick: total for nick, total in verdict.totals.items() if nick in last} == last


def change(kind: Kind, **changes: Callable[[Event], object]) -> Callable[[GameFile], GameFile | None]:
    """Changes the last event of a kind."""

    def mutate(game: GameFile) -> GameFile | None:
        places = [i for i, event in enumerate(game.events) if event.kind is kind]
        if not places:
            return None
        event = game.events[places[-1]]
        changed = replace(event, **{name: make(event) for name, make in changes.items()})  # type: ignore[arg-type]
        return replace(game, events=(*game.events[: places[-1]], changed, *game.events[places[-1] + 1 :]))

    return mutate


MUTATIONS = {
    "score": (change(Kind.PLAY, score=lambda e: e.score + 1, total=lambda e: e.total + 1), "wrong-score"),
    "total": (change(Kind.PLAY, total=lambda e: e.total + 10), "wrong-total"),
    "foreign tile": (change(Kind.PLAY, rack=lambda e: ("Z" if "Q" in e.tiles else "Q") * len(e.rack)), "not-on-rack"),
    "bag": (change(Kind.PLAY, rack=lambda e: "ZZ" + e.rack[2:]), "not-in-bag"),
    "too many": (change(Kind.PASS, rack=lambda _e: "AEIOUAEI"), "rack-size"),
    "stranger": (change(Kind.PLAY, player=lambda _e: "eve"), "unknown-player"),
    "far away": (change(Kind.PLAY, place=lambda _e: "1A", tiles=lambda _e: "AE"), "illegal-play"),
    "off the board": (change(Kind.PLAY, place=lambda _e: "16A"), "illegal-play"),
    "exchanged what is not held": (change(Kind.EXCHANGE, tiles=lambda _e: "QZXJ"), "not-on-rack"),
    "points for a pass": (change(Kind.PASS, score=lambda _e: 3, total=lambda e: e.total + 3), "wrong-score"),
    "withdrawn too little": (change(Kind.WITHDRAWN, score=lambda e: e.score + 1, total=lambda e: e.total + 1), "wrong-score"),
    "challenge bonus": (change(Kind.CHALLENGE, score=lambda _e: 6, total=lambda e: e.total + 1), "wrong-score"),
    "rack at the end": (change(Kind.RACK, score=lambda e: e.score + 1, total=lambda e: e.total + 1), "wrong-score"),
}


@pytest.mark.parametrize("name", MUTATIONS)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_a_mutated_game_gets_its_code(name: str, seed: int) -> None:
    mutate, code = MUTATIONS[name]
    for attempt in range(200):
        mutated = mutate(Simulation(seed + attempt).play(60 if name == "rack at the end" else 12))
        if mutated is not None:
            break
    else:
        assume(False)
    assert mutated is not None
    verdict = judge_game(write_gcg(mutated).encode(), words="none")
    assert code in {fault.code for fault in verdict.violations}


@settings(max_examples=300)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_never_crash(content: bytes) -> None:
    verdict = judge_game(content, words="none")
    verdict.as_text()
    json.dumps(verdict.as_json())


@settings(max_examples=300)
@given(
    st.lists(
        st.lists(
            st.sampled_from(TOKENS),
            max_size=7,
        ),
        max_size=12,
    )
)
def test_arbitrary_events_never_crash_and_round_trip(lines: list[list[str]]) -> None:
    content = (HEAD + "\n".join(" ".join(line) for line in lines)).encode()
    judge_game(content, words="none").as_text()
    game = read_gcg(content)
    assert read_gcg(write_gcg(game).encode()) == game


def test_a_small_game_by_hand() -> None:
    verdict = judged(
        ">ann: CABXYZQ 8H CAB +14 14\n"
        ">bob: AEINRST K5 RETAINS +66 66\n#note over\nlines\n"
        ">ann: XYZQEEE -XYZ +0 14\n"
        ">bob: DEFG??A L4 FAdE +30 96\n"
    )
    assert [(fault.line - 2, fault.code) for fault in verdict.violations] == [(2, "wrong-score"), (6, "wrong-score")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">ann: ABCDEFG 1A CAB +10 10\n", (1, "illegal-play")),
        (">ann: ABCDEFG 8H A +2 2\n", (1, "illegal-play")),
        (">ann: ABCDEFG 8M CABD +1 1\n", (1, "illegal-play")),
        (">ann: ABCDEFG 8H C.B +1 1\n", (1, "illegal-play")),
        (">ann: ABCDEFG 8H CAB +14 14\n>bob: AEINRST 1A TEA +3 3\n", (2, "illegal-play")),
        (">ann: ABCDEFG 8H CAB +14 14\n>bob: AEINRST 8H TAB +3 3\n", (2, "illegal-play")),
        (">ann: ABCDEFG 8H CAB +14 14\n>bob: AEINRST 8H CAB +0 0\n", (2, "illegal-play")),
        (">ann: ABCDEFG 8H CAB +14 14\n>ann: AEINRST - +0 14\n", (2, "out-of-turn")),
        (">ann: ABCDEFG 8H CAB +14 14\n>bob: ABCDEFG -- -14 -14\n", (2, "illegal-withdrawal")),
        (">ann: ABCDEFG (challenge) +5 5\n", (1, "illegal-challenge")),
        (">ann: ABCDEFG (time) +5 5\n", (1, "wrong-score")),
        (">ann: ABCDEF\u00d0 - +0 0\n", (1, "unknown-tile")),
        (">ann: ABC\n", (1, "malformed-line")),
        ("cabbage\n", (1, "malformed-line")),
        (">ann: (time) -10 --10 -10\n", (1, "malformed-line")),  # what stands in brackets is no rack
        ("#tile-distribution klingon\n", (-2, "unknown-tiles")),
        ("", (-2, "empty")),
    ],
)
def test_every_fault_has_its_code(text: str, expected: tuple[int, str]) -> None:
    assert expected in codes(text)


def test_a_spelt_out_tile_that_agrees_is_accepted() -> None:
    first = ">ann: ABCDEFG 8H CAB +14 14\n"
    assert codes(first + ">bob: STAINED 8H CABS +8 8\n") == []
    assert codes(first + ">bob: STAINED 8H ...S +8 8\n") == []


def test_premiums_count_once_and_a_blank_stays_what_it_was() -> None:
    # H8 is the star; the blank b is worth nothing, then and later
    assert codes(">ann: CA?DEFG 8H CAb +8 8\n>bob: STAINED 8H CABS +5 5\n") == []


def test_a_phony_that_nobody_challenged_is_a_remark() -> None:
    phony = ">ann: CABZXYG 8H BAC +14 14\n"
    stood = judged(phony, words="enable1")
    assert stood.valid
    assert [(found.words, found.challenger) for found in stood.phonies] == [(("BAC",), None)]
    assert "phony: BAC of ann, stood" in stood.as_text()
    taken = judged(phony + ">ann: CABZXYG -- -14 0\n", words="enable1")
    assert taken.valid
    assert [(found.words, found.challenger) for found in taken.phonies] == [(("BAC",), "bob")]
    assert codes(phony, words="enable1", rulings=Rulings("void")) == [(1, "unknown-word")]


def test_word_lists_come_from_options_and_pragmata(tmp_path: Path) -> None:
    play = ">ann: CABZXYG 8H BAC +14 14\n"
    (tmp_path / "list.txt").write_text("bac\n")
    content = (HEAD + play).encode()
    assert judge_game(content, words=str(tmp_path / "list.txt")).valid
    assert judge_game(content, words="enable1", extra=str(tmp_path / "list.txt")).valid
    assert judge_game(content).words == "words are not judged: the game names no list"
    unknown = judge_game((HEAD + "#lexicon TWL06\n" + play).encode())
    assert unknown.valid
    assert unknown.words == "words are not judged: the list 'TWL06' is not at hand"
    assert judge_game((HEAD + "#lexicon enable1\n" + play).encode()).phonies
    with pytest.raises(RulesError, match="cannot be read"):
        judge_game(content, words=str(tmp_path / "none.txt"))
    with pytest.raises(RulesError, match="expected one of catalan, danish"):
        judge_game(content, tiles="klingon")


def test_icelandic_words_are_those_of_bin() -> None:
    pytest.importorskip("islenska")
    game = "#lexicon BIN\n#tile-distribution icelandic\n>ann: TTAALI\u00c9 8D L\u00c9TTA {score}\n>bob: HESTURX - +0 0\n"
    assert judge_game((HEAD + game.format(score="+32 32")).encode("utf-8"), words=None).tiles == "icelandic"
    text = "#character-encoding UTF-8\n" + HEAD + game
    assert judge_game(text.format(score="+32 32").encode()).violations[-1:] == ()
    phony = text.format(score="+32 32").replace("L\u00c9TTA", "TT\u00c9LA").encode()
    assert [found.words for found in judge_game(phony).phonies] == [("TT\u00c9LA",)]


def test_encodings_notes_and_line_ends_are_read() -> None:
    latin = "#player1 c\u00e9sar C\u00e9sar\r\n#player2 b B\r\n#note first\r\n"
    latin += ">c\u00e9sar: CAB 8H CAB +14 14 CAB\r\n#note one\r\n two\r\n\r\nthree\r\n"
    game = read_gcg(latin.encode("iso-8859-1"))
    assert game.players[0].name == "C\u00e9sar"
    assert (game.note, game.events[0].note, game.events[0].comment) == ("first", "one\ntwo\n\nthree", "CAB")
    for content in (latin.encode("utf-8-sig"), ("#character-encoding utf-8\n" + latin).encode()):
        assert read_gcg(content) == game
    broken = read_gcg(b"#character-encoding UTF-8\n#player1 \xe9 x\n")
    assert [(fault.line, fault.code) for fault in broken.problems] == [(2, "bad-encoding")]
    assert [fault.code for fault in read_gcg(b"#character-encoding klingon\n").problems] == ["unknown-encoding"]


@pytest.mark.parametrize("encoding", ["idna", "punycode", "undefined", "utf-16", "utf-7", "hex", "rot13", "unicode_escape"])
def test_no_encoding_that_python_knows_makes_the_reader_stumble(encoding: str) -> None:
    content = f"#character-encoding {encoding}\n#player1 a Ann\n>a: ABC".encode() + b"\xe9\\u 8H FACED +30 30\n"
    assert read_gcg(content).problems


def test_tile_sets_have_a_hundred_tiles() -> None:
    for name, letters in (("english", 26), ("icelandic", 32)):
        tiles = tile_set(name)
        assert tiles.bag().total() == 100
        assert len(tiles.values) == letters
        assert tiles.counts["?"] == 2
        assert set(tiles.counts) == set(tiles.values) | {"?"}


def test_the_command_picks_the_referee_by_content(tmp_path: Path) -> None:
    (tmp_path / "game.gcg").write_text(HEAD + ">ann: ABCDEFG 8H CAB +15 15\n")
    (tmp_path / "row.txt").write_text("6 s?l?mnized solemnized\n")
    done = rowdraw("verify", "game.gcg", "row.txt", "--json", cwd=tmp_path)
    assert done.returncode == 1
    game, row = json.loads(done.stdout)
    assert (game["valid"], game["scores"], row["valid"]) == (False, {"ann": 15, "bob": 0}, True)
    text = rowdraw("verify", "game.gcg", "--words", "none", cwd=tmp_path).stdout
    assert "game.gcg:3: wrong-score: +15: expected +14" in text
    assert not is_gcg(b"# score 3\n6 s?l?mnized solemnized\n")


def test_real_games_agree_but_the_one_that_contradicts_itself(cases: Path) -> None:
    files = sorted((cases / "gcg").glob("*.gcg")) + sorted((cases / "icelandic").glob("*.gcg"))
    assert len(files) == 37
    for file in files:
        content = file.read_bytes()
        verdict = judge_game(content, file.name)
        if file.name == "capp.gcg":
            assert {fault.line for fault in verdict.violations} == {14}
        else:
            assert verdict.valid, verdict.as_text()
        game = read_gcg(content)
        assert read_gcg(write_gcg(game).encode()) == game
