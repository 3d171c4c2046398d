"""Copies beside the lake of inputs that Spark's tasks cannot read: standard input, and files of this machine where Spark runs on others."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import INPUTS, running
from evenkeel.data.pipeline.ingest.files.inputs import Input, size_of


@contextmanager
def stored_stream(lake: Place, name: str, stream: BinaryIO) -> Iterator[Input]:
    """Keep a stream as an object of the lake while this is open: it is read more than once.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    with _folder(lake) as folder:
        yield _copied(lake, f"{folder}/0", name, stream)


@contextmanager
def beside(lake: Place, inputs: Sequence[Input]) -> Iterator[list[Input]]:
    """Keep files of this machine as objects of the lake while this is open; those that cannot be read stay as they are.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    with _folder(lake) as folder:
        yield [_beside(lake, f"{folder}/{number}", one) if is_on_this_machine(one) else one for number, one in enumerate(inputs)]


def is_on_this_machine(one: Input) -> bool:
    """Tell whether an input is a readable file of this machine."""
    return one.place.folder is not None and os.access(one.place.folder / one.key, os.R_OK)


@contextmanager
def _folder(lake: Place) -> Iterator[str]:
    run = f"inputs-{secrets.token_hex(4)}"
    with running(lake, run):
        yield f"{INPUTS}/{run}"


def _beside(lake: Place, key: str, one: Input) -> Input:
    with one.place.opened(one.key) as file:
        return _copied(lake, key, one.name, file)


def _copied(lake: Place, key: str, name: str, file: BinaryIO) -> Input:
    lake.copy_from(key, file)
    return Input(name, lake, key, size_of(lake, key))
