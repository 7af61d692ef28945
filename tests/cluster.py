"""A dask cluster on this machine's loopback, with workers that can be killed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SCHEDULER = [
    "-m",
    "distributed.cli.dask_scheduler",
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    "--no-dashboard",
]
_WORKER = ["-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]


@contextmanager
def cluster(folder: Path, count: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its workers; folder: where they keep what is theirs."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    file = folder / "scheduler.json"
    processes: list[subprocess.Popen[bytes]] = []

    def begin(*arguments: str) -> subprocess.Popen[bytes]:
        null = subprocess.DEVNULL
        processes.append(
            subprocess.Popen(
                [sys.executable, *arguments],
                stdout=null,
                stderr=null,
                env=environment,
                start_new_session=True,
            )
        )
        return processes[-1]

    try:
        scheduler = begin(*_SCHEDULER, "--scheduler-file", str(file))
        while not file.exists() or not file.read_text().strip():
            assert scheduler.poll() is None, "the scheduler has ended"
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        yield (
            address,
            [begin(*_WORKER, address, "--local-directory", str(folder)) for _ in range(count)],
        )
    finally:
        for process in processes:
            process.kill()
            process.wait()
