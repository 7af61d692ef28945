"""Compilation before a search, once for a cache."""

import threading
from pathlib import Path

import pytest

from solver.solving.warmup import run_once


def test_kernels_are_compiled_once_for_each_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.solving.warmup.kernel_folder", lambda: tmp_path)
    compiled = 0

    def load() -> None:
        nonlocal compiled
        compiled += 1

    def warm(name: str) -> None:
        run_once(name, load, lambda _message: None)

    warm("bounds")
    warm("bounds")
    assert compiled == 1
    warm("complete")
    assert compiled == 2


def test_while_kernels_are_compiled_messages_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.solving.warmup.kernel_folder", lambda: tmp_path)
    monkeypatch.setattr("solver.solving.warmup._INTERVAL", 0.001)
    heard = threading.Event()

    def say(message: str) -> None:
        if message.startswith("still compiling, "):
            heard.set()

    run_once("complete", lambda: heard.wait(60), say)
    assert heard.is_set()
