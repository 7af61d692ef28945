"""A static host, as of any provider: it serves the files of a folder below an address, and counts what it sends."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


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
