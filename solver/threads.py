"""Threads of this process."""

from verify.threads import ThreadPool

__all__ = ["ThreadPool"]
