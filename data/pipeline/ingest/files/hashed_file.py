"""A file that is hashed as it is read: one pass gives what is in it and its SHA-256."""

import hashlib
import os
from collections import deque
from concurrent.futures import Executor, Future
from typing import BinaryIO

from evenkeel.data.sources.detection import HEAD_BYTES

_LEFT_BYTES = 2**18
"""Few enough to stay in the processor's cache."""

_SMALL_BYTES = 2**16
_MOST_WAITING = 4


class HashedFile:
    """A file open at its start; `thread` hashes what is read while the reader goes on, because hashing leaves Python to other threads.

    `head`: the first `HEAD_BYTES`. `size`: bytes.
    """

    def __init__(self, file: BinaryIO, thread: Executor):
        self._file, self._thread, self._hash = file, thread, hashlib.sha256()
        self._waiting: deque[Future[None]] = deque()
        self.head = file.read(HEAD_BYTES)
        self.size = file.seek(0, os.SEEK_END)
        file.seek(0)

    def read(self, size: int) -> bytes:
        """Read so many bytes, less at the end."""
        return self._hashed(self._file.read(size))

    def readline(self, size: int) -> bytes:
        """Read up to the end of a line, or so many bytes."""
        return self._hashed(self._file.readline(size))

    def tell(self) -> int:
        """Return how many bytes are read."""
        return self._file.tell()

    def sha256_and_size(self) -> tuple[str, int]:
        """Read what is left; return the hash in hexadecimal, and bytes."""
        self._wait(0)
        while left := self._file.read(_LEFT_BYTES):
            self._hash.update(left)
        return self._hash.hexdigest(), self.tell()

    def _hashed(self, data: bytes) -> bytes:
        if len(data) < _SMALL_BYTES and not self._waiting:
            self._hash.update(data)
        else:
            self._waiting.append(self._thread.submit(self._hash.update, data))
            self._wait(_MOST_WAITING)
        return data

    def _wait(self, most: int) -> None:
        """Wait until no more than so many reads are not hashed: they are in memory."""
        while len(self._waiting) > most:
            self._waiting.popleft().result()
