"""A server of the page, as a user starts it, and a static host of any provider."""

import json
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from tests.process import MAIN

CHALLENGE = {"puzzle": {"name": "challenge"}}


def until(is_so: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.1)
    return is_so()


@dataclass(frozen=True)
class Server:
    """Where it is, with the token where it wants one, and its process."""

    address: str
    process: subprocess.Popen[str]

    def ask(
        self, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """Return the status and the JSON of an answer. A body that is no bytes is sent as JSON."""
        try:
            with self._opened(path, body, 60, headers or {}) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def events(self, body: Any) -> Generator[dict[str, Any]]:
        """Yield the events of a search; leaving it early closes the connection."""
        with self._opened("search", body, 300, {}) as answer:
            for line in answer:
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])

    def _opened(self, path: str, body: Any, seconds: float, headers: dict[str, str]) -> Any:
        data = body if isinstance(body, bytes | Iterator) else json.dumps(body or {}).encode()
        headers = {"content-type": "application/json", **headers}
        request = urllib.request.Request(f"{self.address}api/{path}", data, headers)
        return urllib.request.urlopen(request, timeout=seconds)

    def data(self, name: str) -> Any:
        with urllib.request.urlopen(f"{self.address}static/data/{name}.json") as answer:
            return json.loads(answer.read())

    def sent(self, text: str, wait: float = 30.0) -> bytes:
        """Return what comes back for bytes on the wire, after which the connection is left."""
        place = urlsplit(self.address)
        with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
            connection.sendall(text.encode())
            if not wait:
                return b""
            connection.settimeout(wait)
            return connection.recv(1 << 16)

    def answer(self, path: str, **headers: str) -> str:
        """Return the beginning of the answer to a request for a path as it is written."""
        fields = {"Host": urlsplit(self.address).netloc, **headers}
        lines = [f"{name.replace('_', '-')}: {field}\r\n" for name, field in fields.items()]
        return self.sent(f"GET {path} HTTP/1.1\r\n{''.join(lines)}\r\n").decode("latin-1")

    def searches(self) -> list[psutil.Process]:
        """The processes that search, and the one that stands ready."""
        found = []
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):
                if "solver.web.worker" in " ".join(child.cmdline()):
                    found.append(child)
        return found


@contextmanager
def serving(*arguments: str) -> Iterator[Server]:
    """A server on a free port, until the context ends."""
    process = subprocess.Popen(
        [*MAIN, "serve", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("http://"), process.stderr.read() if process.stderr else ""
        yield Server(line.split()[0], process)
    finally:
        process.terminate()
        process.communicate(timeout=30)


class _Handler(SimpleHTTPRequestHandler):
    prefix = "/some/where"

    def log_message(self, *_arguments: Any) -> None:
        """Print nothing."""

    def translate_path(self, path: str) -> str:
        if not path.startswith(f"{self.prefix}/"):
            return str(Path(self.directory) / "nowhere")
        return super().translate_path(path.removeprefix(self.prefix))


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """The address at which the folder is served until the context ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{_Handler.prefix}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
