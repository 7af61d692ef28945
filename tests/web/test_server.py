"""What the server of the page answers and refuses, its searches, and what strangers and lost
connections do to it."""

import asyncio
import http.client
import json
import re
import signal
import socket
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from solver.model.puzzle import load_puzzle
from solver.web import searches
from solver.web.site import data_files
from tests.process import rowdraw, runs
from tests.web.serving import CHALLENGE, Server, serving, until
from verify import judge, load_rules
from verify.files import data_folder

FIRST = "6 s?l?mnized solemnized"
SEARCH = {**CHALLENGE, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 300}


def test_posts_are_judged_by_the_puzzle_that_they_name(server: Server) -> None:
    one, other = (
        server.ask("judge", {"puzzle": {"row": "tea"}, "text": f"# puzzle challenge\n{FIRST}\n"})[
            1
        ][0],
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


def test_the_daily_rows_and_the_story_of_the_proof_are_served(server: Server) -> None:
    served = data_of(server, "daily")
    daily = json.loads((data_folder() / "daily.json").read_bytes())
    assert [row.split()[0] for row in served["rows"]] == [row["row"] for row in daily["rows"]]
    with urllib.request.urlopen(f"{server.address}solved.html") as page:
        assert b"How it was solved" in page.read()
    assert data_of(server, "solved")["game"]["score"] == 1042


def data_of(server: Server, name: str) -> Any:
    with urllib.request.urlopen(f"{server.address}static/data/{name}.json") as answer:
        return json.loads(answer.read())


def test_a_search_tells_better_and_better_games_and_ends(server: Server) -> None:
    events = list(
        server.events(
            {**CHALLENGE, "turns": [], "kind": "solve", "strategy": "beam:width=50", "seconds": 30}
        )
    )
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
    assert (
        bound
        == game["score"]
        == judge("\n".join(game["turns"]), load_rules(row=row["puzzle"]["row"])).score
    )


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("judge", {}, "puzzle: expected an object"),
        ("judge", {"puzzle": {"name": "../../etc/passwd"}}, "no bundled puzzle"),
        ("judge", {"puzzle": {"name": 3}}, "name: expected text"),
        ("judge", {"puzzle": {"seed": -1}}, "expected 0 to"),
        ("judge", {"puzzle": {"row": "tea1"}}, "at place 4"),
        ("judge", {"puzzle": {"row": "tea", "name": "challenge"}}, "with one of"),
        ("search", {**CHALLENGE, "kind": "bound", "turns": ["a\nb"]}, "expected a list of lines"),
        (
            "search",
            {**CHALLENGE, "kind": "bound", "turns": ["3 tea tea"] * 3_000},
            "3000 turns: the row has 100 tiles",
        ),
        ("judge", {**CHALLENGE, "text": "x" * 200_001}, "text: expected at most"),
        (
            "search",
            {**CHALLENGE, "kind": "solve", "strategy": "command:touch /tmp/x"},
            "expected one of greedy, beam",
        ),
        ("search", {**CHALLENGE, "kind": "solve", "strategy": "beam:width=x"}, "width"),
        (
            "search",
            {**CHALLENGE, "kind": "solve", "strategy": "beam", "seconds": 1e9},
            "seconds: expected",
        ),
        ("search", {"puzzle": {"own": True}, "kind": []}, "kind: expected"),
    ],
)
def test_what_no_page_asks_is_refused_in_a_line(
    server: Server, path: str, body: Any, message: str
) -> None:
    status, reply = server.ask(path, body)
    assert status == 200
    assert message in reply["error"]
    assert not any(word in reply["error"] for word in ("Traceback", ".toml"))


def test_what_is_no_json_is_refused(server: Server) -> None:
    for raw in (
        b"",
        b"[",
        b"[1]",
        b"\xff",
        b"[" * 5000,
        json.dumps({"puzzle": {"own": True}, "text": "\ud800"}).encode(),
    ):
        status, answer = server.ask("judge", raw=raw)
        assert (status, list(answer)) == (400, ["error"]), raw[:20]


def test_other_hosts_origins_and_kinds_of_content_are_refused(server: Server) -> None:
    assert server.ask("judge", headers={"Host": "evil.example"})[0] == 421
    assert server.ask("judge", headers={"Origin": "http://evil.example"})[0] == 403
    assert server.ask("judge", headers={"Origin": "null"})[0] == 403
    assert server.ask("judge", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert server.ask("judge", headers={"content-type": "text/plain"})[0] == 415
    assert server.ask("judge", raw=b" " * 1_000_001)[0] == 413
    assert server.ask("judge", raw=b" " * 10_000_000) == (
        413,
        {"error": "expected at most 1,000,000 bytes"},
    )


def test_a_body_without_a_length_ends_at_the_limit(server: Server) -> None:
    parts = urlsplit(server.address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    chunks = (b" " * 100_000 for _ in range(15))
    connection.request(
        "POST", "/api/judge", chunks, {"content-type": "application/json"}, encode_chunked=True
    )
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
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/..%2fapp.py",
    ):
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        connection.request("GET", path)
        assert connection.getresponse().status == 404
        connection.close()


def test_a_flood_is_slowed_and_the_next_second_is_answered() -> None:
    with serving() as server:
        statuses = [server.ask("judge")[0] for _ in range(300)]
        assert set(statuses) == {200, 429}
        assert until(lambda: server.ask("judge")[0] == 200)


def test_where_others_may_reach_it_a_token_is_wanted_and_cookies_of_other_servers_do_no_harm() -> (
    None
):
    with serving("--host", "0.0.0.0") as server:
        port = urlsplit(server.address).port
        match = re.search(r"\?token=(.+)", server.address)
        assert match is not None
        here = Server(f"http://127.0.0.1:{port}/", server.process)
        own = f"rowdraw-{port}={match[1]}"
        assert here.ask("judge")[0] == 401
        for cookies in (f"rowdraw-{port}=", f"rowdraw-{port}=wrong"):
            assert here.ask("judge", headers={"Cookie": cookies})[0] == 401
        for cookies in (own, f"other[x]=1; {{a}}=b; {own}", f'a={{"x":1}}; {own}; rowdraw-1=z'):
            assert here.ask("judge", headers={"Cookie": cookies})[0] == 200
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", f"/?token={match[1]}")
        answer = connection.getresponse()
        assert answer.status == 303
        assert "HttpOnly" in (answer.getheader("set-cookie") or "")
        connection.close()


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
        facts = data_of(server, "puzzles")["own"]
        assert (facts["name"], facts["rack"]) == ("mine", 5)
        # what the page exports begins with these comments: it is an answer to the puzzle again
        verdict = server.ask("judge", {**own, "text": f"{facts['comments']}3 teas teas\n"})[1][0]
        assert (verdict["valid"], verdict["asked"]) == (True, {"own": True})
    with serving("--row", "tea?setsoatzest") as server:
        assert data_of(server, "puzzles")["own"] == {"asked": {"row": "tea?setsoatzest"}}
        assert server.ask("judge", {**CHALLENGE, "text": FIRST})[1][0]["valid"]


def said(server: Server) -> str:
    """What the terminal shows in the end."""
    server.process.send_signal(signal.SIGTERM)
    _out, err = server.process.communicate(timeout=30)
    return err


def sent(server: Server, text: str, wait: float = 0.0) -> bytes:
    """What comes back for bytes on the wire, after which the connection is left."""
    place = urlsplit(server.address)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.sendall(text.encode())
        if not wait:
            return b""
        connection.settimeout(wait)
        return connection.recv(1 << 16)


@pytest.mark.long
def test_no_file_is_opened_for_a_page_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beam:d").mkdir()
    for name in ("evil.py", "beam:evil.py", "beam.py"):
        (tmp_path / name).write_text(
            "from pathlib import Path\nPath('ran').touch()\nclass Mine: ...\n"
        )
    with serving() as server:
        for strategy in (
            "beam:evil.py:Mine",
            "beam:d/../evil.py:Mine",
            "beam:/evil.py:X",
            "beam.py:X",
            "exact:\n",
        ):
            status, answer = server.ask("search", {**SEARCH, "strategy": strategy})
            assert (status, list(answer)) == (200, ["error"]), strategy
            assert "expected greedy, beam, widening or exact" in answer["error"]
            assert not (tmp_path / "ran").exists(), strategy


@pytest.mark.long
def test_a_page_that_leaves_while_it_asks_is_not_told_of() -> None:
    with serving() as server:
        place = urlsplit(server.address).netloc
        head = f"POST /api/judge HTTP/1.1\r\nHost: {place}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n"
        sent(server, head + "{")
        assert server.ask("judge")[0] == 200
        assert said(server) == ""


@pytest.mark.long
def test_connections_without_a_whole_request_are_closed_and_a_running_search_is_not(
    server: Server,
) -> None:
    place = urlsplit(server.address)
    request = f"GET /static/icon.svg HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n"
    events = server.events(SEARCH)
    next(events)
    with ExitStack() as opened:
        for begun in ("", "POST /api/po", request, f"{request}GET /st"):
            connection = opened.enter_context(
                socket.create_connection((place.hostname, place.port), timeout=60)
            )
            connection.sendall(begun.encode())
            opened.callback(_read_to_the_end, connection)
    assert next(events)["event"] != "error"
    events.close()


def _read_to_the_end(connection: socket.socket) -> None:
    while connection.recv(1 << 16):
        pass


def test_a_refused_body_that_does_not_come_is_waited_for_only_briefly(server: Server) -> None:
    began = time.monotonic()
    answer = sent(
        server, "POST / HTTP/1.1\r\nHost: evil\r\nContent-Length: 900000\r\n\r\n{", wait=25
    )
    assert b" 421 " in answer.partition(b"\r\n")[0]
    assert 1 < time.monotonic() - began < 25


def test_a_link_from_elsewhere_opens_the_page_and_nothing_else(server: Server) -> None:
    place = urlsplit(server.address).netloc

    def status(path: str, mode: str, dest: str) -> str:
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {place}",
            "Sec-Fetch-Site: cross-site",
            f"Sec-Fetch-Mode: {mode}",
            f"Sec-Fetch-Dest: {dest}",
        ]
        return sent(server, "\r\n".join(lines) + "\r\n\r\n", wait=20).split()[1].decode()

    assert status("/", "navigate", "document") == "200"
    assert status("/", "navigate", "iframe") == "403"
    assert status("/", "no-cors", "image") == "403"
    assert status("/static/page.js", "navigate", "document") == "403"


@pytest.mark.long
@pytest.mark.usefixtures("posix")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_server_and_its_searches_and_pages_are_told(name: str) -> None:
    with serving() as server:
        events = server.events(SEARCH)
        while next(events)["event"] != "progress":
            pass
        running = server.searches()
        assert running
        server.process.send_signal(signal.Signals[name])
        assert list(events)[-1] == {"event": "error", "message": "the server was ended"}
        _out, err = server.process.communicate(timeout=30)
        assert err == ""
        assert until(lambda: not any(runs(search) for search in running))


@pytest.mark.long
def test_a_search_ends_with_a_server_that_was_killed() -> None:
    with serving() as server:
        events = server.events(SEARCH)
        while next(events)["event"] != "progress":
            pass
        running = server.searches()
        assert running
        server.process.kill()
        assert until(lambda: not any(runs(search) for search in running))


def test_a_search_ends_with_its_page_and_the_next_one_has_its_turn(server: Server) -> None:
    events, second = server.events(SEARCH), server.events({**SEARCH, "strategy": "greedy"})
    assert next(events)["event"] in ("started", "waiting")
    assert until(lambda: bool(server.searches()))
    assert next(second)["event"] == "waiting"
    events.close()  # type: ignore[attr-defined]
    assert list(second)[-1]["event"] == "done"
    # only one is left, which stands ready
    assert until(lambda: len(server.searches()) <= 1)


@pytest.mark.long
def test_too_many_searches_are_refused() -> None:
    with serving("--searches", "1") as server:
        waiting = [server.events(SEARCH) for _number in range(33)]
        firsts = [next(events)["event"] for events in waiting]
        assert firsts == ["started"] + 32 * ["waiting"]
        status, refusal = server.ask("search", SEARCH)
        assert (status, refusal["error"][:17]) == (429, "too many searches")
        for events in waiting:
            events.close()  # type: ignore[attr-defined]
        assert until(lambda: len(server.searches()) <= 1)


def _events_of_a_search(strategy: str, seconds: float) -> list[dict[str, Any]]:
    job = {
        "kind": "solve",
        "puzzle": load_puzzle("challenge").packed(),
        "turns": [],
        "threads": 1,
        "seconds": 300,
    }

    async def events() -> list[dict[str, Any]]:
        running = searches.Searches(1)
        found = [event async for event in running.events(job | {"strategy": strategy}, seconds)]
        await running.close()
        return found

    return asyncio.run(events())


def test_a_search_that_takes_too_long_ends_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "_GRACE", 0.0)
    events = _events_of_a_search("widening", 0.05)
    assert [events[0]["event"], events[-1]["event"]] == ["started", "error"]


def test_a_search_finds_our_modules_in_a_folder_with_modules_of_the_same_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("solver", "verify", "json"):
        (tmp_path / f"{name}.py").write_text(
            "raise RuntimeError('this is not the module that the search needs')\n"
        )
    monkeypatch.chdir(tmp_path)
    assert _events_of_a_search("greedy", 120)[-1]["event"] == "done"


def test_a_puzzle_by_other_rules_is_served_with_them() -> None:
    puzzle = load_puzzle("challenge").with_fields({"rack": 5})
    own = json.loads(data_files(puzzle)["puzzles.json"])["own"]
    assert (own["rack"], own["row"]) == (5, puzzle.row)
    assert json.loads(data_files(load_puzzle("challenge"))["puzzles.json"])["own"] == {
        "asked": {"name": "challenge"}
    }


def test_a_puzzle_whose_word_list_is_not_bundled_is_refused_before_the_server_begins(
    root: Path,
) -> None:
    done = rowdraw("serve", str(root / "examples/certificates/six.toml"), "--port", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "not a bundled list: pass its words with --words FILE" in done.stderr
