"""What the server of the table answers, and what it refuses."""

import http.client
import re
import signal
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.process import rowdraw
from tests.web.serving import CHALLENGE, Server, serving, until
from verify import judge, load_rules
from verify.datafiles import data_folder

FIRST = "6 s?l?mnized solemnized"
WORST = "<script>alert(1)</script>"


def test_a_puzzle_is_told_with_what_is_known_of_it(server: Server) -> None:
    status, reply = server.ask("puzzle", CHALLENGE)
    assert status == 200
    assert (reply["name"], reply["asked"], reply["rack"], reply["bound"]) == ("challenge", {"name": "challenge"}, 10, 1042)
    assert judge("\n".join(reply["game"])).score == 1042
    assert len(reply["row"]) == 100
    assert reply["values"]["z"] == 10


def test_rows_come_from_a_seed_or_from_the_page(server: Server) -> None:
    one, other = (server.ask("puzzle", {"puzzle": {"seed": seed}})[1]["row"] for seed in (7, 8))
    assert sorted(one) == sorted(other) == sorted(server.ask("puzzle", CHALLENGE)[1]["row"])
    assert one != other
    assert server.ask("puzzle", {"puzzle": {"row": "TEA?setsoat"}})[1]["row"] == "tea?setsoat"


def test_a_position_keeps_the_turns_that_the_referee_takes_and_names_the_faults_of_the_others(server: Server) -> None:
    good = {"turns": [FIRST], "faults": [], "score": 141, "total": 141, "over": False}
    assert server.ask("position", {**CHALLENGE, "turns": [FIRST]})[1] == good
    assert server.ask("position", {**CHALLENGE, "turns": ["6 S?L?MNIZED  SOLEMNIZED"]})[1] == good
    reply = server.ask("position", {**CHALLENGE, "turns": [FIRST, "0 qx qx", "3 asp asp"]})[1]
    faults = judge(f"{FIRST}\n0 qx qx\n3 asp asp").violations
    assert reply["faults"] == [{"line": fault.line, "message": fault.message} for fault in faults]
    assert reply["turns"] == [FIRST]


@pytest.mark.parametrize(("row", "turns", "is_over"), [("tea", [], False), ("tea", ["3 tea tea"], True), ("qqq", [], True)])
def test_a_position_says_whether_a_word_can_still_be_played(server: Server, row: str, turns: list[str], is_over: bool) -> None:
    assert server.ask("position", {"puzzle": {"row": row}, "turns": turns})[1]["over"] is is_over


def test_posts_are_judged_by_the_puzzle_that_they_name(server: Server) -> None:
    one, other = (
        server.ask("judge", {"puzzle": {"row": "tea"}, "text": f"# puzzle challenge\n{FIRST}\n"})[1][0],
        server.ask("judge", {"puzzle": {"row": "tea"}, "text": "0 tea tea\n"})[1][0],
    )
    assert (one["valid"], one["score"], one["puzzle"]) == (True, 141, "challenge")
    assert (other["valid"], other["score"]) == (True, 6)


def test_answers_of_a_post_bear_the_names_that_the_referee_gives_them(server: Server) -> None:
    text = f"**u/ann**\n\n{FIRST}\n\n**u/ben**\n\n{FIRST}\n"
    reply = server.ask("judge", {**CHALLENGE, "text": text})[1]
    assert [verdict["name"] for verdict in reply] == ["u/ann", "u/ben"]
    assert server.ask("judge", {**CHALLENGE, "text": FIRST})[1][0]["name"] == ""
    copied = f"ann • 2y ago\n{FIRST}\n\nUpvote\n12\nReply\n\nben • 1y ago\n{FIRST}\n---\n{FIRST}\n"
    reply = server.ask("judge", {**CHALLENGE, "text": copied})[1]
    assert [(verdict["name"], verdict["valid"]) for verdict in reply] == [("ann", True), ("ben", True), ("ben", True)]


@pytest.mark.parametrize("form", ["text", "markdown", "reddit", "csv", "json", "svg"])
def test_a_game_is_told_in_every_form(server: Server, form: str) -> None:
    status, reply = server.ask("export", {**CHALLENGE, "turns": [FIRST], "form": form})
    assert status == 200
    assert "solemnized" in reply["text"].lower() or form == "svg"
    if form in ("text", "reddit", "markdown"):
        assert judge(reply["text"]).score == 141


def test_the_record_book_is_told_with_its_games(server: Server) -> None:
    records = server.ask("records")[1]
    assert len(records) == 21
    assert judge("\n".join(records[0]["turns"])).score == records[0]["best"] == 1042


def test_the_daily_rows_are_those_of_the_file(server: Server) -> None:
    with urllib.request.urlopen(f"{server.address}static/data/daily.json") as answer:
        assert answer.read() == (data_folder() / "daily.json").read_bytes()


def test_a_search_tells_better_and_better_games_and_ends(server: Server) -> None:
    events = list(server.events({**CHALLENGE, "turns": [], "kind": "solve", "strategy": "beam:width=50", "seconds": 30}))
    scores = [event["score"] for event in events if event["event"] == "better"]
    assert scores == sorted(scores)
    assert events[-1]["event"] == "done"
    last = [event for event in events if event["event"] == "better"][-1]
    assert judge("\n".join(last["turns"])).score == last["score"] > 900


def test_a_short_row_is_solved_and_its_bound_is_its_best_score(server: Server) -> None:
    row = {"puzzle": {"row": "tea?setsoatzest"}}
    events = list(server.events({**row, "turns": [], "kind": "bound"}))
    (game,) = (event for event in events if event["event"] == "game")
    (bound,) = (event["bound"] for event in events if event["event"] == "bound")
    assert bound == game["score"] == judge("\n".join(game["turns"]), load_rules(row=row["puzzle"]["row"])).score


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("puzzle", {}, "puzzle: expected an object"),
        ("puzzle", {"puzzle": {"name": "../../etc/passwd"}}, "no bundled puzzle"),
        ("puzzle", {"puzzle": {"name": WORST}}, "no bundled puzzle"),
        ("puzzle", {"puzzle": {"name": 3}}, "name: expected text"),
        ("puzzle", {"puzzle": {"seed": True}}, "seed: expected a whole number"),
        ("puzzle", {"puzzle": {"seed": -1}}, "expected 0 to"),
        ("puzzle", {"puzzle": {"row": "tea1"}}, "the row"),
        ("puzzle", {"puzzle": {"row": ""}}, "the row has 0 tiles: expected 1 to 400"),
        ("puzzle", {"puzzle": {"row": "a" * 401}}, "the row has 401 tiles: expected 1 to 400"),
        ("puzzle", {"puzzle": {"row": "tea", "name": "challenge"}}, "with one of"),
        ("export", {**CHALLENGE, "turns": [], "form": "text"}, "expected a list"),
        ("position", {**CHALLENGE, "turns": ["a\nb"]}, "expected a list"),
        ("position", {**CHALLENGE, "turns": [3]}, "expected a list"),
        ("search", {**CHALLENGE, "turns": ["0 qx qx"], "kind": "bound"}, "needs 'q x' more"),
        ("judge", {**CHALLENGE, "text": 5}, "text: expected"),
        ("judge", {**CHALLENGE, "text": "x" * 200_001}, "text: expected at most"),
        ("export", {**CHALLENGE, "turns": [FIRST], "form": "exe"}, "form: expected"),
        ("search", {**CHALLENGE, "kind": "eval"}, "kind: expected"),
        ("search", {**CHALLENGE, "kind": "solve", "strategy": "command:touch /tmp/x"}, "expected greedy, beam"),
        ("search", {**CHALLENGE, "kind": "solve", "strategy": "/etc/passwd.py:X"}, "expected greedy, beam"),
        ("search", {**CHALLENGE, "kind": "solve", "strategy": "beam:width=x"}, "width"),
        ("search", {**CHALLENGE, "kind": "solve", "strategy": "beam", "seconds": 1e9}, "seconds: expected"),
        ("search", {**CHALLENGE, "kind": "solve", "strategy": "beam", "seconds": -1}, "seconds: expected"),
    ],
)
def test_what_no_page_asks_is_refused_in_a_line(server: Server, path: str, body: Any, message: str) -> None:
    status, reply = server.ask(path, body)
    assert status == 200
    assert message in reply["error"]
    assert "Traceback" not in reply["error"]


@pytest.mark.parametrize("raw", [b"", b"[", b"[1]", b"\xff", b"[" * 5000, b'"x"'])
def test_what_is_no_json_is_refused(server: Server, raw: bytes) -> None:
    assert server.ask("puzzle", raw=raw)[0] == 400


def test_other_hosts_origins_and_kinds_of_content_are_refused(server: Server) -> None:
    assert server.ask("records", headers={"Host": "evil.example"})[0] == 421
    assert server.ask("records", headers={"Origin": "http://evil.example"})[0] == 403
    assert server.ask("records", headers={"Origin": "null"})[0] == 403
    assert server.ask("records", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert server.ask("records", headers={"content-type": "text/plain"})[0] == 415
    assert server.ask("records", raw=b" " * 1_000_001)[0] == 413
    assert server.ask("records", raw=b" " * 10_000_000) == (413, {"error": "expected at most 1,000,000 bytes"})


def test_a_body_without_a_length_ends_at_the_limit(server: Server) -> None:
    parts = urlsplit(server.address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    chunks = (b" " * 100_000 for _ in range(15))
    connection.request("POST", "/api/records", chunks, {"content-type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_answers_carry_a_strict_policy(server: Server) -> None:
    for path in ("", "static/main.js", "nothing"):
        try:
            with urllib.request.urlopen(server.address + path) as answer:
                headers = answer.headers
        except urllib.error.HTTPError as error:
            headers = error.headers
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_files_outside_the_page_are_not_served(server: Server) -> None:
    parts = urlsplit(server.address)
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2fapp.py"):
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        connection.request("GET", path)
        assert connection.getresponse().status == 404
        connection.close()


def test_a_page_that_is_loaded_again_and_again_gets_its_files(server: Server) -> None:
    for _load in range(400):
        with urllib.request.urlopen(f"{server.address}static/icon.svg") as answer:
            assert answer.status == 200


def test_a_flood_is_slowed_and_the_next_second_is_answered() -> None:
    with serving() as server:
        statuses = [server.ask("records")[0] for _ in range(400)]
        assert set(statuses) == {200, 429}
        assert until(lambda: server.ask("records")[0] == 200)


def test_where_others_may_reach_it_a_token_is_wanted() -> None:
    with serving("--host", "0.0.0.0") as server:
        port = urlsplit(server.address).port
        match = re.search(r"\?token=(.+)", server.address)
        assert match is not None
        here = Server(f"http://127.0.0.1:{port}/", server.process)
        assert here.ask("records")[0] == 401
        assert here.ask("records", headers={"Cookie": f"rowdraw-{port}=wrong"})[0] == 401
        assert here.ask("records", headers={"Cookie": f"rowdraw-{port}={match[1]}"})[0] == 200
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", f"/?token={match[1]}")
        answer = connection.getresponse()
        assert answer.status == 303
        assert "HttpOnly" in (answer.getheader("set-cookie") or "")
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_its_searches(number: signal.Signals) -> None:
    with serving() as server:
        body = {**CHALLENGE, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 300}
        events = server.events(body)
        while next(events)["event"] != "progress":
            pass
        searches = server.searches()
        assert searches
        server.process.send_signal(number)
        server.process.wait(timeout=30)
        assert until(lambda: not any(_lives(process) for process in searches))
        events.close()  # type: ignore[attr-defined]


def _lives(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().split()[2] != "Z"
    except OSError:
        return False


def test_a_port_that_is_taken_is_told(server: Server) -> None:
    port = urlsplit(server.address).port
    done = rowdraw("serve", "--port", str(port))
    assert done.returncode == 2
    assert f"127.0.0.1:{port}: cannot listen there" in done.stderr


def test_its_own_puzzle_and_the_bundled_ones_are_served_side_by_side(tmp_path: Any) -> None:
    file = tmp_path / "my_row.toml"
    file.write_text('name = "mine"\nrow = "tea?setsoatzest"\nrack = 5\n')
    own = {"puzzle": {"own": True}}
    with serving(str(file)) as server:
        reply = server.ask("puzzle", own)[1]
        assert (reply["asked"], reply["name"], reply["rack"]) == ({"own": True}, "mine", 5)
        # what the page exports is an answer to the puzzle again
        text = server.ask("export", {**own, "turns": ["3 teas teas"], "form": "text"})[1]["text"]
        verdict = server.ask("judge", {**own, "text": text})[1][0]
        assert (verdict["valid"], verdict["asked"]) == (True, {"own": True})
    with serving("--row", "tea?setsoatzest") as server:
        assert server.ask("puzzle", own)[1]["asked"] == {"row": "tea?setsoatzest"}
        assert len(server.ask("puzzle", CHALLENGE)[1]["row"]) == 100


def test_a_comment_with_a_hash_is_no_header(server: Server) -> None:
    text = "My # rows are nice\n3 tea tea\n"
    verdict = server.ask("judge", {"puzzle": {"row": "tea?setsoat"}, "text": text})[1][0]
    assert (verdict["valid"], verdict["asked"]) == (True, {"row": "tea?setsoat"})
    named = server.ask("judge", {"puzzle": {"row": "tea?setsoat"}, "text": f"#puzzle challenge\n{FIRST}\n"})[1][0]
    assert (named["valid"], named["asked"]) == (True, {"name": "challenge"})
