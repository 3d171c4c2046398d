"""Place: the folder or the object storage of a lake or an input, with the same methods.

A place is a folder or a URL: `s3://` (any compatible service), `gs://` or `az://`. obstore makes
the requests.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.lake.service import filesystem_of, in_words, obstore, store_of

if TYPE_CHECKING:
    import pyarrow.fs as fs
    from obstore.store import ObjectStore
    from pyarrow import Buffer

SCHEMES = ("s3", "gs", "az")

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_CHUNK = 8 * 2**20
_DELETED_AT_ONCE = 1000


class StoredObject(NamedTuple):
    """An object of a place: its key, its size in bytes, and the time of its last write."""

    key: str
    size: int
    written_at: datetime


@dataclass(frozen=True)
class Place:
    """A folder, or a prefix of object storage. Keys are relative to the folder or prefix, with `/`
    between names.

    `url`: the folder's absolute path, or the URL. `settings`: obstore's configuration of the
    service. The settings contain secrets, so `str` and `repr` leave them out.

    If the folder or the service refuses or does not answer, every operation raises PlaceError. The
    message names the place.
    """

    url: str
    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, name: str) -> "Place":
        return Place(f"{self.url.rstrip('/')}/{name}", self.settings)

    @property
    def name(self) -> str:
        """The last name in the path or URL."""
        return self.url.rpartition("/")[2]

    @property
    def folder(self) -> Path | None:
        """The folder, None for object storage."""
        return _folder_of(self.url)

    @property
    def layers(self) -> "tuple[Place, ...]":
        """The places in which readers look for a batch, highest priority first."""
        return (self,)

    def home_of(self, key: str) -> "Place":
        """Return the place in `layers` that contains the key."""
        return self

    def read(self, key: str) -> bytes:
        """Return the bytes of an object.

        Raises
        ------
        FileNotFoundError
            If the object is missing.
        """
        with self._asking(key) as store:
            return bytes(obstore().get(store, key).bytes())

    def write(self, key: str, data: "bytes | Buffer", lasts: bool = True) -> None:
        """Write an object, whole or not at all. An existing object is replaced. If `lasts`: return
        only when the object is on disk.
        """
        with self._asking(key, makes=True) as store:
            obstore().put(store, key, bytes(data))
        if lasts:
            self._sync(key)

    def copy_from(self, key: str, file: BinaryIO) -> None:
        """Write an open file from its position to its end. The file may be larger than the
        memory.
        """
        self.write_parts(key, iter(lambda: file.read(_CHUNK), b""))

    def write_parts(self, key: str, parts: Iterable[bytes]) -> None:
        """Write an object that may be larger than the memory, whole or not at all."""
        with self._asking(key, makes=True) as store:
            file = obstore().open_writer(store, key)
        for part in parts:
            with self._asking(key):
                file.write(part)
        # Not `with`: after an error in `parts`, it would close the file and so create an incomplete
        # object.
        with self._asking(key):
            file.close()
        self._sync(key)

    def create(self, key: str, data: bytes, lasts: bool = True) -> bool:
        """Create an object, if it does not exist already. Return whether the object now has `data`.
        If several writers have different data, only one of them gets True.
        """
        with self._asking(key, makes=True) as store:
            try:
                obstore().put(store, key, bytes(data), mode="create", use_multipart=False)
                is_made = True
            except obstore().exceptions.AlreadyExistsError:
                is_made = False
        if not is_made:
            return self._is_own(key, data)
        if lasts:
            self._sync(key)
        return True

    def holds(self, key: str) -> bool:
        """Return whether an object exists."""
        try:
            self.written_at(key)
        except FileNotFoundError:
            return False
        return True

    def written_at(self, key: str) -> datetime:
        """Return the time of an object's last write, by the clock of the folder or the service.

        Raises
        ------
        FileNotFoundError
            If the object is missing.
        """
        with self._asking(key) as store:
            return obstore().head(store, key)["last_modified"]

    def found(self, prefix: str = "") -> list[StoredObject]:
        """Return all objects under a prefix, ordered by key. A prefix is one or more whole names:
        `a/b` does not match `a/bc`.
        """
        try:
            with self._asking(prefix) as store:
                objects = [path for some in obstore().list(store, prefix or None) for path in some]
        except FileNotFoundError:
            return []
        return sorted(
            StoredObject(entry["path"], entry["size"], entry["last_modified"]) for entry in objects
        )

    def names(self, prefix: str) -> list[str]:
        """Return the names directly under a prefix, without duplicates."""
        try:
            with self._asking(prefix) as store:
                listed = obstore().list_with_delimiter(store, prefix)
        except FileNotFoundError:
            return []
        return sorted(
            path.rpartition("/")[2]
            for path in (
                *listed["common_prefixes"],
                *(entry["path"] for entry in listed["objects"]),
            )
        )

    def delete(self, keys: Iterable[str]) -> None:
        """Delete objects; missing objects are not an error."""
        rest = iter(keys)
        while some := list(islice(rest, _DELETED_AT_ONCE)):
            try:
                with self._asking(some[0]) as store:
                    obstore().delete(store, some)
            except FileNotFoundError:
                # A folder stops at the first missing object of a list.
                self._delete_each(some)

    def delete_all(self) -> None:
        """Delete all objects of the place. A folder itself is deleted too."""
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            self.delete(file.key for file in self.found())

    @contextmanager
    def opened(self, key: str) -> Iterator[BinaryIO]:
        """Yield an object for reading at any position.

        Raises
        ------
        FileNotFoundError
            If the object is missing.
        """
        with self._asking(key) as store:
            if self.folder:
                with (self.folder / key).open("rb") as file:
                    yield file
            else:
                from evenkeel.data.lake.object_file import object_file

                with object_file(store, key) as file:
                    yield file

    def filesystem(self) -> "fs.FileSystem":
        """Return pyarrow's file system for the keys of this place."""
        return filesystem_of(self.url, self.settings)

    def _delete_each(self, keys: Iterable[str]) -> None:
        for key in keys:
            with suppress(FileNotFoundError), self._asking(key) as store:
                obstore().delete(store, key)

    def _is_own(self, key: str, data: bytes) -> bool:
        """Return whether the existing object has this writer's `data`. If the service's answer is
        lost, obstore tries again and finds the object that it created itself.
        """
        try:
            return self.read(key) == data
        except FileNotFoundError:
            return False

    @contextmanager
    def _asking(self, key: str, makes: bool = False) -> Iterator["ObjectStore"]:
        """Yield the store of this place. Errors of the store are raised as PlaceError. `makes`:
        create the folder if it is missing.
        """
        try:
            if self.folder and makes:
                self.folder.mkdir(parents=True, exist_ok=True)
            elif self.folder and not self.folder.is_dir():
                raise FileNotFoundError(self.url)
            yield store_of(self.url, self.settings)
        except FileNotFoundError as error:
            if makes or "NoSuchBucket" in str(error):
                raise PlaceError(str(self), in_words(error)) from None
            raise
        except (OSError, obstore().exceptions.BaseError) as error:
            raise PlaceError(str(self / key if key else self), in_words(error)) from None

    def _sync(self, key: str) -> None:
        """Wait until a file and its name are on disk, because obstore does not wait."""
        if self.folder:
            sync(self.folder / key)


@lru_cache(256)
def _folder_of(url: str) -> Path | None:
    """Return the folder of a place. The result is cached, because a Path is slow to create."""
    return Path(url) if url.startswith("/") else None


def place_of(text: str | Path, settings: Mapping[str, str] | None = None) -> Place:
    """Return the place of a path or a URL. `settings`: only for S3.

    Raises
    ------
    SnapshotError
        If the URL does not start with a known scheme. The message names the known schemes. A text
        such as `s3:` never becomes the name of a folder.
    """
    url = _URL.fullmatch(str(text)) if not isinstance(text, Path) else None
    if url is None:
        return Place(str(Path(text).expanduser().absolute()))
    scheme, rest = url[1].lower(), url[2]
    if scheme not in SCHEMES or not re.fullmatch("//[^/].*", rest):
        raise SnapshotError(
            f"{text}: expected a folder, or a URL such as"
            f" {', '.join(f'{known}://bucket/lake' for known in SCHEMES)}"
        )
    # Only S3 has settings in the configuration. The other services find them in the environment, as
    # their own tools do.
    return Place(
        f"{scheme}:{rest.rstrip('/')}",
        tuple(sorted((settings or {}).items())) if scheme == "s3" else (),
    )


# Disk writes of a folder.


def sync(path: Path) -> None:
    """Wait until a file and its name in the folder are on disk."""
    for each in (path, path.parent):
        descriptor = os.open(each, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
