"""A thread pool that copes with a lack of threads."""

from concurrent.futures import ThreadPoolExecutor


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
