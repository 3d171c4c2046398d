"""Place: the folder or storage of a lake or an input. Other rooms use a folder and object storage
alike.

`s3://` (any compatible service), `gs://`, `az://`, or a folder. obstore asks the services.
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
    """An object of a place: its key, bytes, and when it was last written."""

    key: str
    size: int
    written_at: datetime


@dataclass(frozen=True)
class Place:
    """A folder, or a prefix of object storage. Keys are relative to it, with `/` between names.

    `url`: the folder's absolute path, or the URL. `settings`: obstore's configuration of the
    service, including secrets; no text of a place shows them.

    If the folder or the service refuses or does not answer, every operation raises PlaceError,
    which names the place.
    """

    url: str
    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, name: str) -> "Place":
        return Place(f"{self.url.rstrip('/')}/{name}", self.settings)

    @property
    def name(self) -> str:
        """The last name of the place."""
        return self.url.rpartition("/")[2]

    @property
    def folder(self) -> Path | None:
        """The folder, None for object storage."""
        return _folder_of(self.url)

    @property
    def layers(self) -> "tuple[Place, ...]":
        """The places whose batches readers see, highest priority first."""
        return (self,)

    def home_of(self, key: str) -> "Place":
        """Return the layer that has a key."""
        return self

    def read(self, key: str) -> bytes:
        """Return an object.

        Raises
        ------
        FileNotFoundError
            If the object is missing.
        """
        with self._asking(key) as store:
            return bytes(obstore().get(store, key).bytes())

    def write(self, key: str, data: "bytes | Buffer", lasts: bool = True) -> None:
        """Write an object, whole or not at all; an existing object is replaced. `lasts`: a file is
        on disk when this returns.
        """
        with self._asking(key, makes=True) as store:
            obstore().put(store, key, bytes(data))
        if lasts:
            self._sync(key)

    def copy_from(self, key: str, file: BinaryIO) -> None:
        """Write the rest of an open file, of any length, without keeping it in memory."""
        self.write_parts(key, iter(lambda: file.read(_CHUNK), b""))

    def write_parts(self, key: str, parts: Iterable[bytes]) -> None:
        """Write an object that may exceed the memory, whole or not at all."""
        with self._asking(key, makes=True) as store:
            file = obstore().open_writer(store, key)
        for part in parts:
            with self._asking(key):
                file.write(part)
        # Not `with`: it would also close, and so make, a file of which the parts ended with an
        # error.
        with self._asking(key):
            file.close()
        self._sync(key)

    def create(self, key: str, data: bytes, lasts: bool = True) -> bool:
        """Create an object unless it exists; return whether it now has `data`. Among writers of
        different data only one gets True.
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
        """Return when an object was last written, by the clock of the folder or the service.

        Raises
        ------
        FileNotFoundError
            If the object is missing.
        """
        with self._asking(key) as store:
            return obstore().head(store, key)["last_modified"]

    def found(self, prefix: str = "") -> list[StoredObject]:
        """Return every object under a prefix of whole names, by key."""
        try:
            with self._asking(prefix) as store:
                objects = [path for some in obstore().list(store, prefix or None) for path in some]
        except FileNotFoundError:
            return []
        return sorted(
            StoredObject(entry["path"], entry["size"], entry["last_modified"]) for entry in objects
        )

    def names(self, prefix: str) -> list[str]:
        """Return the names directly under a prefix, each once."""
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
                # Of a list, a folder deletes nothing behind the first that is missing.
                self._delete_each(some)

    def delete_all(self) -> None:
        """Delete all objects of the place; for a folder the folder too."""
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
        """Return whether an existing object is this writer's: after a lost answer obstore retries
        and finds its own object.
        """
        try:
            return self.read(key) == data
        except FileNotFoundError:
            return False

    @contextmanager
    def _asking(self, key: str, makes: bool = False) -> Iterator["ObjectStore"]:
        """Yield the place's store; raise its errors as PlaceError. `makes`: create a missing
        folder.
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
        """Wait until a file and its name are on disk: obstore does not."""
        if self.folder:
            sync(self.folder / key)


@lru_cache(256)
def _folder_of(url: str) -> Path | None:
    """Return the folder of a place; making a path takes longer than using it."""
    return Path(url) if url.startswith("/") else None


def place_of(text: str | Path, settings: Mapping[str, str] | None = None) -> Place:
    """Return the place that a path or a URL names; `settings` are for object storage.

    Raises
    ------
    SnapshotError
        For another scheme, with its name: a folder called `s3:` is never made.
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
    # Those of the configuration are of S3; the others find theirs in the environment, as their own
    # tools do.
    return Place(
        f"{scheme}:{rest.rstrip('/')}",
        tuple(sorted((settings or {}).items())) if scheme == "s3" else (),
    )


# The disk of a folder: waits until a file is on it.


def sync(path: Path) -> None:
    """Wait until a file and its name in the folder are on disk."""
    for each in (path, path.parent):
        descriptor = os.open(each, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
