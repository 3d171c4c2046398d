"""Inputs: the files that paths and URLs name, and copies of files that Spark's tasks cannot
read.
"""

import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.run import INPUTS, running
from evenkeel.data.sources.inputs import files_at

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://[^/]+)(?:/(.*))?", re.DOTALL)


class Input(NamedTuple):
    """An input file: its unique name, its location, and its size in bytes, 0 if unknown."""

    name: str
    place: Place
    key: str
    size: int = 0


def inputs_of(
    texts: Iterable[str | Path], settings: Mapping[str, str] = MappingProxyType({})
) -> list[Input]:
    """Return the files of paths and URLs, without duplicates. Paths and URLs are in the given
    order. Files of a folder are ordered by name, objects of a URL by key.

    Hidden files are left out. `settings`: settings of object storage.

    Raises
    ------
    SnapshotError
        If a path is missing, or if there is no file.
    """
    texts = list(texts)
    inputs = list(dict.fromkeys(file for text in texts for file in _inputs(text, settings)))
    if not inputs:
        raise SnapshotError(f"{', '.join(map(str, texts))}: no files in this folder")
    return inputs


def _inputs(text: str | Path, settings: Mapping[str, str]) -> Iterator[Input]:
    url = _URL.fullmatch(text) if isinstance(text, str) else None
    if url:
        yield from _objects(url.string, place_of(url[1], settings), url[2] or "")
    else:
        yield from (
            Input(str(file), place_of(file.parent), file.name, file.stat().st_size)
            for file in files_at(Path(text))
        )


def _objects(text: str, bucket: Place, key: str) -> Iterator[Input]:
    """Yield the object that the URL names. If there is none: all objects in the folder of this
    name.
    """
    if key and not key.endswith("/"):
        with suppress(FileNotFoundError):
            yield Input(text, bucket, key, size_of(bucket, key))
            return
    inside = [
        (file, file.key.removeprefix(key.rstrip("/")).lstrip("/"))
        for file in bucket.found(key.rstrip("/"))
    ]
    # In S3 consoles, a folder is an empty object whose key ends with "/". No object has this key
    # without "/".
    seen = [
        (file, name)
        for file, name in inside
        if not _is_hidden(name) and (file.size or bucket.holds(file.key))
    ]
    if not seen:
        raise SnapshotError(f"{text}: no such object, and none under this prefix")
    yield from (
        Input(f"{text.rstrip('/')}/{name}", bucket, file.key, file.size) for file, name in seen
    )


def size_of(place: Place, key: str) -> int:
    """Return the size of an object in bytes; FileNotFoundError if the object is missing."""
    with place.opened(key) as file:
        return file.seek(0, os.SEEK_END)


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


# Copies in the lake, for inputs that Spark's tasks cannot read: standard input, and files of this
# machine if Spark runs on other machines.


@contextmanager
def stored_stream(lake: Place, name: str, stream: BinaryIO) -> Iterator[Input]:
    """Store a stream as an object of the lake while the `with` block runs, because a stream can be
    read only once.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    with _folder(lake) as folder:
        yield _copied(lake, f"{folder}/0", name, stream)


@contextmanager
def beside(lake: Place, inputs: Sequence[Input]) -> Iterator[list[Input]]:
    """Store the files of this machine as objects of the lake while the `with` block runs. A file
    that this process cannot read is yielded unchanged.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    with _folder(lake) as folder:
        yield [
            _beside(lake, f"{folder}/{number}", file) if is_on_this_machine(file) else file
            for number, file in enumerate(inputs)
        ]


def is_on_this_machine(file: Input) -> bool:
    """Return whether an input is a readable file of this machine."""
    return file.place.folder is not None and os.access(file.place.folder / file.key, os.R_OK)


@contextmanager
def _folder(lake: Place) -> Iterator[str]:
    run = f"inputs-{secrets.token_hex(4)}"
    with running(lake, run):
        yield f"{INPUTS}/{run}"


def _beside(lake: Place, key: str, input_file: Input) -> Input:
    with input_file.place.opened(input_file.key) as file:
        return _copied(lake, key, input_file.name, file)


def _copied(lake: Place, key: str, name: str, file: BinaryIO) -> Input:
    lake.copy_from(key, file)
    return Input(name, lake, key, size_of(lake, key))
