"""A load test of the table: `python -m tests.web.load` prints how long browsers wait while a search runs.

Each browser has an address of its own on the loopback. About once a second it asks for a verdict on a turn, and for plays.
"""

import argparse
import http.client
import json
import random
import statistics
import threading
import time
from urllib.parse import urlsplit

from tests.web.serving import Server, serving

GAME = ["6 s?l?mnized solemnized", "9 outmove outmove", "3 asp asp", "1 ?verbleach overbleach", "9 ?entrify gentrify"]


def browse(server: Server, number: int, end: float, waits: dict[str, list[float]], refused: list[int]) -> None:
    """One browser."""
    rng = random.Random(number)
    parts = urlsplit(server.address)
    source = (f"127.0.0.{number + 2}", 0)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60, source_address=source)
    time.sleep(rng.random())
    while time.monotonic() < end:
        turns = GAME[: rng.randint(1, len(GAME))]
        for path in ("turn", "plays"):
            body = json.dumps({"puzzle": {"name": "challenge"}, "turns": turns})
            began = time.perf_counter()
            connection.request("POST", f"/api/{path}", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            waits[path].append(time.perf_counter() - began)
            if answer.status != 200:
                refused.append(answer.status)
        time.sleep(0.5 + rng.random())


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browsers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    told = parser.parse_args()
    waits: dict[str, list[float]] = {"turn": [], "plays": []}
    refused: list[int] = []
    with serving() as server:
        body = {"puzzle": {"name": "challenge"}, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 600}
        search = server.events(body)
        next(search)
        end = time.monotonic() + told.seconds
        threads = [
            threading.Thread(target=browse, args=(server, number, end, waits, refused)) for number in range(told.browsers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"{told.browsers} browsers, {told.seconds:g} s, one search under way; {len(refused)} requests refused.\n")
    print("| request | answers | median | 95th percentile | 99th percentile |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for path, seconds in waits.items():
        cuts = statistics.quantiles(seconds, n=100)
        print(f"| {path} | {len(seconds)} | " + " | ".join(f"{1000 * cuts[at]:.0f} ms" for at in (49, 94, 98)) + " |")


if __name__ == "__main__":
    main()
