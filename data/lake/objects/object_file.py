"""An object of object storage as a file of Python."""

import io
import os
from typing import TYPE_CHECKING

import obstore

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_READ_AHEAD = 8 * 2**20


def object_file(store: "ObjectStore", key: str) -> io.BufferedReader:
    """Open an object for reading at any position; a request brings so many bytes that reading in order needs few.

    Raises
    ------
    FileNotFoundError
        Where there is none.
    """
    return io.BufferedReader(_Ranges(store, key, obstore.head(store, key)["size"]), _READ_AHEAD)


class _Ranges(io.RawIOBase):
    """obstore's own reader has no `peek`, and returns no `bytes`."""

    def __init__(self, store: "ObjectStore", key: str, size: int):
        self._store, self._key, self._size, self._at = store, key, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:
        length = min(len(buffer), self._size - self._at)
        if length <= 0:
            return 0
        buffer[:length] = memoryview(obstore.get_range(self._store, self._key, start=self._at, length=length))
        self._at += length
        return length
