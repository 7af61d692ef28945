"""A load test of the table: `python -m tests.web.load` prints how long browsers wait while a search runs.

Each browser has an address of its own on the loopback. Every few seconds it asks for a verdict on a turn.
Strangers may disturb: they begin requests and stop, ask for searches and leave, and come from other pages.
"""

import argparse
import http.client
import json
import random
import socket
import statistics
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import psutil

from tests.web.serving import Server, serving, until

GAME = ["6 s?l?mnized solemnized", "9 outmove outmove", "3 asp asp", "1 ?verbleach overbleach", "9 ?entrify gentrify"]


@dataclass
class Load:
    """What is asked of a server. every: seconds between two turns of a browser; end: when all is over.

    waits: seconds for each answer, by the kind of request; refused: statuses of those that were not answered.
    """

    server: Server
    every: float
    end: float
    waits: dict[str, list[float]] = field(default_factory=lambda: {"position": []})
    refused: list[int] = field(default_factory=list)


def browse(load: Load, number: int) -> None:
    """One browser."""
    rng = random.Random(number)
    parts = urlsplit(load.server.address)
    source = (f"127.0.0.{number + 2}", 0)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60, source_address=source)
    time.sleep(load.every * rng.random())
    while time.monotonic() < load.end:
        turns = GAME[: rng.randint(1, len(GAME))]
        body = json.dumps({"puzzle": {"name": "challenge"}, "turns": turns})
        began = time.perf_counter()
        connection.request("POST", "/api/position", body, {"content-type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        load.waits["position"].append(time.perf_counter() - began)
        if answer.status != 200:
            load.refused.append(answer.status)
        time.sleep(load.every * (0.5 + rng.random()))


def disturb(load: Load, number: int) -> None:
    """A stranger, from an address of its own."""
    parts, rng = urlsplit(load.server.address), random.Random(number)
    host = f"host: {parts.netloc}\r\n"
    search = json.dumps({"puzzle": {"name": "challenge"}, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 60})
    head = f"POST /api/search HTTP/1.1\r\n{host}content-type: application/json\r\n"
    openings = (
        "POST /api/po",  # stops within the first line
        f"POST /api/position HTTP/1.1\r\n{host}content-type: application/json\r\ncontent-length: 900000\r\n\r\n{{",
        f"POST /api/judge HTTP/1.1\r\n{host}origin: http://elsewhere.example\r\ncontent-length: 2\r\n\r\n{{}}",
        f"{head}content-length: {len(search)}\r\n\r\n{search}",  # a search, whose events are not read
    )
    while time.monotonic() < load.end:
        with (
            suppress(OSError),
            socket.create_connection((parts.hostname, parts.port), 10, (f"127.0.1.{number + 2}", 0)) as connection,
        ):
            connection.sendall(rng.choice(openings).encode())
            time.sleep(3 * rng.random())


def megabytes(server: Server) -> float:
    """What the server's process holds in memory."""
    return float(psutil.Process(server.process.pid).memory_info().rss / 1e6)


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browsers", type=int, default=50)
    parser.add_argument("--strangers", type=int, default=0)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two turns of a browser (1)")
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    with serving() as server:
        body = {"puzzle": {"name": "challenge"}, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 600}
        search = server.events(body)
        next(search)
        load = Load(server, given.every, time.monotonic() + given.seconds)
        threads = [threading.Thread(target=browse, args=(load, number)) for number in range(given.browsers)]
        threads += [threading.Thread(target=disturb, args=(load, number)) for number in range(given.strangers)]
        for thread in threads:
            thread.start()
        time.sleep(given.seconds / 10)
        memory = [megabytes(server)]
        for thread in threads:
            thread.join()
        memory.append(megabytes(server))
        search.close()
        until(lambda: len(server.searches()) < 2)
        left = len(server.searches())
    print(
        f"{given.browsers} browsers, a turn every {given.every:g} s each, {given.strangers} strangers, {given.seconds:g} s, "
        f"one search under way; {len(load.refused)} requests refused.\n"
    )
    print("| request | answers | median | 95th percentile | 99th percentile |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for path, seconds in load.waits.items():
        cuts = statistics.quantiles(seconds, n=100)
        print(f"| {path} | {len(seconds)} | " + " | ".join(f"{1000 * cuts[at]:.0f} ms" for at in (49, 94, 98)) + " |")
    print(f"\nMemory after a tenth of the time and at the end: {memory[0]:.0f} and {memory[1]:.0f} MB.")
    print(f"Processes that search when all have left, the one that stands ready included: {left}.")


if __name__ == "__main__":
    main()
