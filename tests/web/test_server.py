"""What the server of the table answers, and what it refuses."""

import http.client
import json
import re
import signal
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.process import rowdraw, runs
from tests.web.serving import CHALLENGE, Server, serving, until
from verify import judge, load_rules
from verify.files import data_folder

FIRST = "6 s?l?mnized solemnized"
WORST = "<script>alert(1)</script>"


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
    assert [verdict["valid"] for verdict in reply] == [True, True, True]
    assert [verdict["name"] for verdict in reply[:2]] == ["ann • 2y ago", "ben • 1y ago"]


def test_the_daily_rows_are_those_of_the_file(server: Server) -> None:
    with urllib.request.urlopen(f"{server.address}static/data/daily.json") as answer:
        served = json.loads(answer.read())
    daily = json.loads((data_folder() / "daily.json").read_bytes())
    assert [row.split()[0] for row in served["rows"]] == [row["row"] for row in daily["rows"]]


def test_the_story_of_the_proof_is_served_with_its_figures(server: Server) -> None:
    with urllib.request.urlopen(f"{server.address}solved.html") as page:
        assert b"How it was solved" in page.read()
    with urllib.request.urlopen(f"{server.address}static/data/solved.json") as answer:
        assert json.loads(answer.read())["game"]["score"] == 1042


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
        ("judge", {}, "puzzle: expected an object"),
        ("judge", {"puzzle": {"name": "../../etc/passwd"}}, "no bundled puzzle"),
        ("judge", {"puzzle": {"name": WORST}}, "no bundled puzzle"),
        ("judge", {"puzzle": {"name": 3}}, "name: expected text"),
        ("judge", {"puzzle": {"seed": True}}, "seed: expected a whole number"),
        ("judge", {"puzzle": {"seed": -1}}, "expected 0 to"),
        ("judge", {"puzzle": {"row": "tea1"}}, "the row"),
        ("judge", {"puzzle": {"row": ""}}, "the row has 0 tiles: expected 1 to 400"),
        ("judge", {"puzzle": {"row": "a" * 401}}, "the row has 401 tiles: expected 1 to 400"),
        ("judge", {"puzzle": {"row": "tea", "name": "challenge"}}, "with one of"),
        ("search", {**CHALLENGE, "kind": "bound", "turns": ["a\nb"]}, "expected a list of lines"),
        ("search", {**CHALLENGE, "kind": "bound", "turns": [3]}, "expected a list of lines"),
        ("search", {**CHALLENGE, "kind": "bound", "turns": ["3 tea tea"] * 3_000}, "3000 turns: the row has 100 tiles"),
        ("search", {**CHALLENGE, "turns": ["0 qx qx"], "kind": "bound"}, "needs 'qx' more"),
        ("judge", {**CHALLENGE, "text": 5}, "text: expected"),
        ("judge", {**CHALLENGE, "text": "x" * 200_001}, "text: expected at most"),
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
    assert server.ask("judge", raw=raw)[0] == 400


def test_other_hosts_origins_and_kinds_of_content_are_refused(server: Server) -> None:
    assert server.ask("judge", headers={"Host": "evil.example"})[0] == 421
    assert server.ask("judge", headers={"Origin": "http://evil.example"})[0] == 403
    assert server.ask("judge", headers={"Origin": "null"})[0] == 403
    assert server.ask("judge", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert server.ask("judge", headers={"content-type": "text/plain"})[0] == 415
    assert server.ask("judge", raw=b" " * 1_000_001)[0] == 413
    assert server.ask("judge", raw=b" " * 10_000_000) == (413, {"error": "expected at most 1,000,000 bytes"})


def test_a_body_without_a_length_ends_at_the_limit(server: Server) -> None:
    parts = urlsplit(server.address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    chunks = (b" " * 100_000 for _ in range(15))
    connection.request("POST", "/api/judge", chunks, {"content-type": "application/json"}, encode_chunked=True)
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
        statuses = [server.ask("judge")[0] for _ in range(400)]
        assert set(statuses) == {200, 429}
        assert until(lambda: server.ask("judge")[0] == 200)


def test_where_others_may_reach_it_a_token_is_wanted() -> None:
    with serving("--host", "0.0.0.0") as server:
        port = urlsplit(server.address).port
        match = re.search(r"\?token=(.+)", server.address)
        assert match is not None
        here = Server(f"http://127.0.0.1:{port}/", server.process)
        assert here.ask("judge")[0] == 401
        assert here.ask("judge", headers={"Cookie": f"rowdraw-{port}=wrong"})[0] == 401
        assert here.ask("judge", headers={"Cookie": f"rowdraw-{port}={match[1]}"})[0] == 200
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
        assert until(lambda: not any(runs(search) for search in searches))
        events.close()  # type: ignore[attr-defined]


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
        facts = own_facts(server)
        assert (facts["name"], facts["rack"]) == ("mine", 5)
        # what the page exports begins with these comments: it is an answer to the puzzle again
        verdict = server.ask("judge", {**own, "text": f"{facts['comments']}3 teas teas\n"})[1][0]
        assert (verdict["valid"], verdict["asked"]) == (True, {"own": True})
    with serving("--row", "tea?setsoatzest") as server:
        assert own_facts(server) == {"asked": {"row": "tea?setsoatzest"}}
        assert server.ask("judge", {**CHALLENGE, "text": FIRST})[1][0]["valid"]


def own_facts(server: Server) -> Any:
    with urllib.request.urlopen(f"{server.address}static/data/puzzles.json") as answer:
        return json.loads(answer.read())["own"]


def test_a_comment_with_a_hash_is_no_header(server: Server) -> None:
    text = "My # rows are nice\n3 tea tea\n"
    verdict = server.ask("judge", {"puzzle": {"row": "tea?setsoat"}, "text": text})[1][0]
    assert (verdict["valid"], verdict["asked"]) == (True, {"row": "tea?setsoat"})
    named = server.ask("judge", {"puzzle": {"row": "tea?setsoat"}, "text": f"#puzzle challenge\n{FIRST}\n"})[1][0]
    assert (named["valid"], named["asked"]) == (True, {"name": "challenge"})
