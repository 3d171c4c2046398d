"""Object storage for Python and pyarrow: one object as a Python file, all objects as a file
system.
"""

import io
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import obstore
import pyarrow as pa
import pyarrow.fs as fs

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_READ_AHEAD = 8 * 2**20


def object_file(store: "ObjectStore", key: str) -> io.BufferedReader:
    """Open an object for reading at any position. Each request reads 8 MiB, so few requests are
    needed to read an object from its start to its end.

    Raises
    ------
    FileNotFoundError
        If the object is missing.
    """
    return io.BufferedReader(_Ranges(store, key, obstore.head(store, key)["size"]), _READ_AHEAD)


class ObjectFiles(fs.FSSpecHandler):
    """Reads objects by their keys. Lakes need no other operation of pyarrow's file system.

    obstore's class is not used: if a service refuses, obstore's class reports a missing object and
    writes to the log.
    """

    def __init__(self, store: "ObjectStore"):
        super().__init__(store)

    def get_type_name(self) -> str:
        return "objects"

    def get_file_info(self, paths: Sequence[str]) -> list[fs.FileInfo]:
        return [self._info(path) for path in paths]

    def open_input_file(self, path: str) -> pa.PythonFile:
        # Not buffered, because pyarrow requests exactly the needed ranges.
        return pa.PythonFile(_Ranges(self.fs, path, obstore.head(self.fs, path)["size"]), mode="r")

    open_input_stream = open_input_file

    def _info(self, path: str) -> fs.FileInfo:
        try:
            return fs.FileInfo(path, fs.FileType.File, size=obstore.head(self.fs, path)["size"])
        except FileNotFoundError:
            return fs.FileInfo(path, fs.FileType.NotFound)


class _Ranges(io.RawIOBase):
    """An object as a file: each read requests a range of bytes. obstore's own reader has no `peek`
    and does not return `bytes`.
    """

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
        buffer[:length] = memoryview(
            obstore.get_range(self._store, self._key, start=self._at, length=length)
        )
        self._at += length
        return length
