"""Searches of the table: they wait for each other, end with their pages, and leave no process behind."""

import asyncio

import pytest

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
        status, told = server.ask("search", body)
        assert (status, told["error"][:17]) == (429, "too many searches")
        for events in waiting:
            events.close()  # type: ignore[attr-defined]
        assert until(lambda: len(server.searches()) <= 1)


def test_a_search_that_takes_too_long_ends_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:

    from solver.model.puzzle import load_puzzle
    from solver.web import searches
    from solver.web.worker import puzzle_fields

    monkeypatch.setattr(searches, "_GRACE", 0.0)
    job = {"kind": "solve", "puzzle": puzzle_fields(load_puzzle("challenge")), "turns": [], "threads": 1, "seconds": 300}
    job |= {"left": None, "strategy": "widening"}

    async def told() -> list[str]:
        running = searches.Searches(1)
        found = [event["event"] async for event in running.events(job, 0.05)]
        await running.close()
        return [found[0], found[-1]]

    assert asyncio.run(told()) == ["started", "error"]
