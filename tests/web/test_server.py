"""What the server of the page answers and refuses, its searches, strangers, lost connections."""

import asyncio
import json
import re
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock
from urllib.parse import urlsplit

import pytest

from solver.model.puzzle import load_puzzle
from solver.web import searches
from solver.web.app import make_app
from solver.web.desk import Desk
from tests.process import rowdraw, runs
from tests.web.serving import CHALLENGE, Server, serving, until
from verify import Rules, judge, load_rules

FIRST = "6 s?l?mnized solemnized"
BOUND = {**CHALLENGE, "kind": "bound"}
SEARCH = {**CHALLENGE, "turns": "", "kind": "solve", "strategy": "widening", "seconds": 300}


def judged(server: Server, puzzle: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """Return the verdicts on a text of answers."""
    verdicts: list[dict[str, Any]] = server.ask("judge", {"puzzle": puzzle, "text": text})[1]
    return verdicts


def test_an_answer_is_judged_on_the_puzzle_or_row_that_it_states_and_a_wrong_one_is_a_sentence(
    server: Server,
) -> None:
    (named,) = judged(server, {"row": "tea"}, f"# puzzle challenge\n{FIRST}\n")
    assert (named["valid"], named["puzzle"]) == (True, "challenge")
    (verdict,) = judged(server, {"name": "challenge"}, "# row tea\n0 tea tea\n")
    assert (verdict["valid"], verdict["asked"]) == (True, {"row": "tea"})
    (stranger,) = judged(server, {"name": "challenge"}, "# row tea\n# rack 2\n0 at at\n")
    assert stranger["asked"] is None
    for comment, message in (("puzzle nosuch", "'nosuch'"), ("row tea!setsoat", "'!' at place 4")):
        asked = {**CHALLENGE, "text": f"# {comment}\n{FIRST}\n"}
        status, answer = server.ask("judge", asked)
        assert status == 200
        assert message in answer["error"]
        assert "--" not in answer["error"]  # a page has no options


def test_many_turns_are_answered_shortly_and_a_game_is_shown_up_to_its_fault(
    server: Server,
) -> None:
    text = f"{FIRST}\n" * 8_000
    (verdict,) = judged(server, {"name": "challenge"}, text)
    assert (verdict["valid"], verdict["turns"]) == (False, 1)
    assert len(json.dumps(verdict)) < 1_000
    asked = {**CHALLENGE, "text": text}
    game = server.ask("judged", {**asked, "number": 0})[1]
    first, second = game["turns"]
    assert first["violations"] == []
    assert second["violations"][0]["line"] == verdict["faults"][0]["line"] == 2
    for number in (1, -1, True, None):
        assert "expected 0 to 0" in server.ask("judged", {**asked, "number": number})[1]["error"]


def test_a_short_row_is_solved_and_its_bound_is_its_best_score(server: Server) -> None:
    row = "tea?setsoatzest"
    job = {"puzzle": {"row": row}, "turns": "", "kind": "bound"}
    events = {event["event"]: event for event in server.events(job)}
    game = events["game"]
    verdict = judge("\n".join(game["turns"]), load_rules(row=row))
    assert events["bound"]["bound"] == game["score"] == verdict.score


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("judge", {}, "puzzle: expected a name"),
        ("judge", {"puzzle": {"name": "../../etc/passwd"}}, "no bundled puzzle"),
        ("judge", {"puzzle": {"name": 3}}, "puzzle: expected a name"),
        ("judge", {"puzzle": {"row": "a" * 401}}, "a row of 1 to 400 tiles"),
        ("judge", {"puzzle": {"seed": -1}}, "a seed from 0 to"),
        ("judge", {"puzzle": {"row": "tea1"}}, "row = 'tea1'"),
        ("search", {**BOUND, "turns": ["3 tea tea"]}, "expected text of at most"),
        ("search", {**BOUND, "turns": "3 tea tea\n" * 20_000}, "more than the rack"),
        ("judge", {**CHALLENGE, "text": "x" * 200_001}, "text of at most"),
        ("judge", {**CHALLENGE, "text": "Infinity left draws"}, "no turn"),
        ("search", {**SEARCH, "strategy": "command:touch /tmp/x"}, "expected greedy, beam"),
        ("search", {**SEARCH, "strategy": "beam:width=x"}, "width"),
        ("search", {**SEARCH, "seconds": 1e9}, "seconds: expected"),
        ("search", {"puzzle": {"own": True}, "kind": []}, "kind: expected"),
        ("board/view", {"game": "nothing"}, "expected a pragma"),
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
    lone = json.dumps({"puzzle": {"own": True}, "text": "\ud800"}).encode()
    for raw in (b"", b"[", b"[1]", b"\xff", b"[" * 5000, lone):
        status, answer = server.ask("judge", raw)
        assert (status, list(answer)) == (400, ["error"]), raw[:20]


def test_other_hosts_origins_and_kinds_of_content_are_refused(server: Server) -> None:
    for status, name, value in (
        (421, "Host", "evil.example"),
        (403, "Origin", "http://evil.example"),
        (403, "Origin", "null"),
        (415, "content-type", "text/plain"),
    ):
        assert server.ask("judge", headers={name: value})[0] == status, value
    refusal = (413, {"error": "expected at most 1,000,000 bytes"})
    for size in (1_000_001, 10_000_000):
        assert server.ask("judge", b" " * size) == refusal


def test_a_body_without_a_length_ends_at_the_limit(server: Server) -> None:
    chunks = (b" " * 100_000 for _ in range(15))
    assert server.ask("judge", chunks)[0] == 413


def test_answers_carry_a_strict_policy(server: Server) -> None:
    for path in ("", "board", "static/main.js", "nothing"):
        answer = server.answer(f"/{path}").lower()
        assert "content-security-policy: default-src 'none'; script-src 'self'" in answer
        assert "x-content-type-options: nosniff" in answer
        assert "cross-origin-resource-policy: same-origin" in answer


def test_an_internal_error_is_answered_with_the_policy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_own: Rules) -> None:
        raise OSError("a fault")

    monkeypatch.setattr("solver.web.app.served_files", fails)
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    app = make_app(Desk(load_puzzle("challenge")), None, 1, 1)
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    with pytest.raises(OSError, match="a fault"):
        asyncio.run(app(scope, AsyncMock(), send))
    assert sent[0]["status"] == 500
    assert b"content-security-policy" in dict(sent[0]["headers"])


def test_files_outside_the_page_are_not_served(server: Server) -> None:
    for path in ("../app.py", "%2e%2e/app.py", "/etc/passwd", "..%2fapp.py"):
        assert server.answer(f"/static/{path}").split()[1] == "404"


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this system has no IPv6")
def test_all_addresses_of_ipv6_are_those_of_ipv4_too() -> None:
    with serving("--host", "::") as server:
        port = urlsplit(server.address).port
        for name in ("127.0.0.1", "[::1]"):
            assert Server(f"http://{name}:{port}/", server.process).ask("judge")[0] == 401


def test_others_need_a_token_and_cookies_of_other_servers_do_no_harm() -> None:
    with serving("--host", "0.0.0.0") as server:
        port = urlsplit(server.address).port
        match = re.search(r"\?token=(.+)", server.address)
        assert match is not None
        here = Server(f"http://127.0.0.1:{port}/", server.process)
        own = f"rowdraw-{port}={match[1]}"
        assert here.ask("judge")[0] == 401
        assert here.ask("judge", headers={"Host": "[evil"})[0] == 421
        for cookies in (f"rowdraw-{port}=", f"rowdraw-{port}=wrong"):
            assert here.ask("judge", headers={"Cookie": cookies})[0] == 401
        for cookies in (own, f"other[x]=1; {{a}}=b; {own}", f'a={{"x":1}}; {own}; rowdraw-1=z'):
            assert here.ask("judge", headers={"Cookie": cookies})[0] == 200
        for path, place in (("/", "/"), ("/board", "/board"), ("//evil.example", "/evil.example")):
            answer = here.answer(f"{path}?token={match[1]}")
            assert answer.split()[1] == "303"
            assert f"location: {place}\r\n" in answer.lower()
            assert re.search("(?i)set-cookie: .*HttpOnly.*SameSite=lax", answer)
        refusal = here.answer("/board", Accept="text/html", Cookie=f"rowdraw-{port}=wrong")
        assert refusal.split()[1] == "401"
        assert "text/html" in refusal


def test_a_port_that_is_taken_is_told(server: Server) -> None:
    port = urlsplit(server.address).port
    done = rowdraw("serve", "--port", str(port))
    assert done.returncode == 2
    assert f"127.0.0.1:{port}: cannot listen there" in done.stderr


def test_its_own_puzzle_and_the_bundled_ones_are_served_side_by_side(tmp_path: Any) -> None:
    file = tmp_path / "my_row.toml"
    file.write_text('name = "mine"\nrow = "tea?setsoatzest"\nrack = 5\n')
    own = {"own": True}
    with serving(str(file)) as server:
        facts = server.data("puzzles")["own"]
        assert (facts["name"], facts["rack"]) == ("mine", 5)
        # what the page exports begins with these comments: it is an answer to the puzzle again
        (verdict,) = judged(server, own, f"{facts['comments']}3 teas teas\n")
        assert (verdict["valid"], verdict["asked"]) == (True, own)
    asked = {"row": "tea?setsoatzest"}
    with serving("--row", asked["row"]) as server:
        assert server.data("puzzles")["own"] == {"asked": asked}
        assert judged(server, {"name": "challenge"}, FIRST)[0]["valid"]


def said(server: Server) -> str:
    """What the terminal shows in the end."""
    server.process.send_signal(signal.SIGTERM)
    return server.process.communicate(timeout=30)[1]


@pytest.mark.long
def test_no_file_is_opened_for_a_page_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beam:d").mkdir()
    for name in ("evil.py", "beam:evil.py", "beam.py"):
        (tmp_path / name).write_text("open('ran', 'w')\nclass Mine: ...\n")
    with serving() as server:
        paths = ("beam:evil.py:Mine", "beam:d/../evil.py:Mine", "beam:/evil.py:X", "beam.py:X")
        for strategy in (*paths, "exact:\n"):
            status, answer = server.ask("search", {**SEARCH, "strategy": strategy})
            assert (status, list(answer)) == (200, ["error"]), strategy
            assert "expected greedy, beam, widening or exact" in answer["error"]
            assert not (tmp_path / "ran").exists(), strategy


@pytest.mark.long
def test_a_page_that_leaves_while_it_asks_is_not_told_of() -> None:
    with serving() as server:
        place = urlsplit(server.address).netloc
        head = f"POST /api/judge HTTP/1.1\r\nHost: {place}\r\nContent-Type: application/json\r\n"
        server.sent(head + "Content-Length: 900000\r\n\r\n{", wait=0)
        assert server.ask("judge")[0] == 200
        assert said(server) == ""


def test_people_are_refused_by_a_page_and_scripts_by_json(server: Server) -> None:
    for host, message in ((urlsplit(server.address).netloc, "Not found."), ("<b>", "&lt;b&gt;")):
        headers = {"Accept": "text/html,*/*", "Host": host}
        request = urllib.request.Request(f"{server.address}nothing", headers=headers)
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request)
        assert refusal.value.headers.get_content_type() == "text/html"
        assert message in refusal.value.read().decode()
    assert "application/json" in server.answer("/nothing", Accept="*/*")


def test_files_are_sent_once_compressed_and_again_only_after_a_change(server: Server) -> None:
    answer = server.answer("/static/main.js", Accept_Encoding="gzip").partition("\r\n\r\n")[0]
    assert "content-encoding: gzip" in answer.lower()
    tag = re.findall('(?i)etag: (".*")', answer)[0]
    for sent, status in ((tag, "304"), ('"other"', "200")):
        assert server.answer("/static/main.js", If_None_Match=sent).split()[1] == status
    assert "image/svg+xml" in server.answer("/favicon.ico")


@contextmanager
def searching() -> Iterator[tuple[Server, Iterator[dict[str, Any]]]]:
    """A server, and the further events of a search; it must end with the server."""
    with serving() as server:
        events = server.events(SEARCH)
        while next(events)["event"] != "progress":
            pass
        running = server.searches()
        assert running
        yield server, events
        assert until(lambda: not any(map(runs, running)))


@pytest.mark.long
@pytest.mark.usefixtures("posix")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_server_and_its_searches_and_pages_are_told(name: str) -> None:
    with searching() as (server, events):
        server.process.send_signal(signal.Signals[name])
        assert list(events)[-1] == {"event": "error", "message": "the server was ended"}
        assert server.process.communicate(timeout=30)[1] == ""


@pytest.mark.long
def test_a_search_ends_with_a_server_that_was_killed() -> None:
    with searching() as (server, _events):
        server.process.kill()


def test_a_search_ends_with_its_page_and_the_next_one_finds_a_game(
    server: Server,
) -> None:
    events, second = server.events(SEARCH), server.events({**SEARCH, "strategy": "greedy"})
    assert next(events)["event"] in ("started", "waiting")
    assert until(lambda: bool(server.searches()))
    assert next(second)["event"] == "waiting"
    events.close()
    *_started, game, done = second
    assert (game["event"], done["event"]) == ("better", "done")
    assert judge("\n".join(game["turns"])).score == game["score"] > 800
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
            events.close()
        assert until(lambda: len(server.searches()) <= 1)


def _events_of_a_search(strategy: str, seconds: float) -> list[dict[str, Any]]:
    packed = load_puzzle("challenge").packed()
    job = {**SEARCH, "puzzle": packed, "strategy": strategy, "threads": 1}

    async def events() -> list[dict[str, Any]]:
        running = searches.Searches(1)
        found = [event async for event in running.events(job, seconds)]
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
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong module')\n")
    monkeypatch.chdir(tmp_path)
    assert _events_of_a_search("greedy", 120)[-1]["event"] == "done"


def test_a_puzzle_whose_word_list_is_not_bundled_is_refused_before_the_server_begins(
    root: Path,
) -> None:
    done = rowdraw("serve", str(root / "examples/certificates/six.toml"), "--port", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "not a bundled list: pass its words with --words FILE" in done.stderr
