"""Searches of the table: they wait for each other, end with their pages, and leave no process behind."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from solver.model.puzzle import load_puzzle
from solver.web import searches
from solver.web.worker import puzzle_fields
from tests.web.serving import CHALLENGE, Server, serving, until


def test_a_search_ends_with_the_page_that_wanted_it(server: Server) -> None:
    body = {**CHALLENGE, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 300}
    events = server.events(body)
    assert next(events)["event"] in ("started", "waiting")
    assert until(lambda: bool(server.searches()))
    events.close()  # type: ignore[attr-defined]
    # only one is left, which stands ready
    assert until(lambda: len(server.searches()) <= 1)
    # and the next search has its turn
    assert list(server.events({**body, "strategy": "greedy"}))[-1]["event"] == "done"


def test_a_second_search_waits_for_the_first_one(server: Server) -> None:
    body = {**CHALLENGE, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 300}
    first, second = server.events(body), server.events({**body, "strategy": "greedy"})
    next(first)
    assert next(second)["event"] == "waiting"
    first.close()  # type: ignore[attr-defined]
    assert list(second)[-1]["event"] == "done"


def test_too_many_searches_are_refused() -> None:
    body = {**CHALLENGE, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 300}
    with serving("--searches", "1") as server:
        waiting = [server.events(body) for _number in range(33)]
        firsts = [next(events)["event"] for events in waiting]
        assert firsts == ["started"] + 32 * ["waiting"]
        status, refusal = server.ask("search", body)
        assert (status, refusal["error"][:17]) == (429, "too many searches")
        for events in waiting:
            events.close()  # type: ignore[attr-defined]
        assert until(lambda: len(server.searches()) <= 1)


def _events_of_a_search(strategy: str, seconds: float) -> list[dict[str, Any]]:
    job = {"kind": "solve", "puzzle": puzzle_fields(load_puzzle("challenge")), "turns": [], "threads": 1, "seconds": 300}

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
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('this is not the module that the search needs')\n")
    monkeypatch.chdir(tmp_path)
    assert _events_of_a_search("greedy", 120)[-1]["event"] == "done"
