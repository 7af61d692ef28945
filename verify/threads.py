"""A thread pool and a watching thread that cope with a lack of threads."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress


class ThreadPool(ThreadPoolExecutor):
    """A pool that works with fewer threads where the system starts no more.

    The system may refuse them under `ulimit -v` or `-u`. Raises `MemoryError` on submission if not
    even one can be started.
    """

    def _adjust_thread_count(self) -> None:
        try:
            super()._adjust_thread_count()
        except RuntimeError as error:
            # the task is in the queue already: any thread will take it
            if not self._threads:
                raise MemoryError("the system starts no thread") from error


@contextmanager
def watched_by(watch: Callable[[threading.Event], object]) -> Iterator[None]:
    """Call `watch` in another thread while the context lasts; its event is set at the end.

    If the system starts no more threads, it is not called.
    """
    ended = threading.Event()
    watcher = threading.Thread(target=watch, args=(ended,), daemon=True)
    with suppress(RuntimeError):
        watcher.start()
    try:
        yield
    finally:
        ended.set()
        if watcher.ident is not None:
            watcher.join()
