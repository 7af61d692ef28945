"""Inputs that reach lines of ours that none before them has reached: they are worth changing further."""

import hashlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from tests.fuzz.target import ROOT

STORE = Path(__file__).parent / "seeds"
_OURS = tuple(f"{ROOT / package}/" for package in ("solver", "verify"))
_LONGEST = 3_000  # bytes of an input that is kept
_MOST = 60  # inputs that are kept of a target


def stored(target: str) -> list[bytes]:
    """The inputs that earlier runs have kept."""
    return [path.read_bytes() for path in sorted((STORE / target).glob("*"))]


def store(target: str, content: bytes, folder: Path = STORE) -> None:
    """Keep an input, unless it is long or there are many."""
    kept = folder / target
    if len(content) <= _LONGEST and len(list(kept.glob("*"))) < _MOST:
        kept.mkdir(parents=True, exist_ok=True)
        (kept / hashlib.sha256(content).hexdigest()[:12]).write_bytes(content)


class Guide:
    """Knows the steps from line to line that inputs have taken. Following them makes a reader some ten times slower."""

    def __init__(self) -> None:
        self._steps: set[tuple[str, int, int]] = set()
        self._ours: dict[str, bool] = {}

    def follow(self, read: Callable[[bytes], None], content: bytes) -> bool:
        """Let `read` read; whether it has taken a step that is new. Raises what `read` does."""
        before = len(self._steps)
        old = sys.gettrace()
        threading.settrace(self._entered)
        sys.settrace(self._entered)
        try:
            read(content)
        finally:
            sys.settrace(old)
            threading.settrace(old)  # type: ignore[arg-type]
        return len(self._steps) > before

    def _entered(self, frame: FrameType, _event: str, _value: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in self._ours:
            self._ours[name] = name.startswith(_OURS)
        if not self._ours[name]:
            return None
        last = frame.f_lineno

        def stepped(frame: FrameType, event: str, _value: Any) -> Any:
            nonlocal last
            if event == "line":
                self._steps.add((name, last, frame.f_lineno))
                last = frame.f_lineno
            return stepped

        return stepped
