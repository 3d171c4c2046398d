"""Inputs: the files that paths name."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from data.errors import SnapshotError


class Input(NamedTuple):
    """One file: the name it goes by, which no other has, and where it is."""

    name: str
    path: Path


def inputs_of(paths: Iterable[str | Path]) -> list[Input]:
    """Return files as they are named and the files of folders by name, hidden ones left out; a file that is named twice comes once.

    Raises
    ------
    SnapshotError
        For a path that is not there, and where there is no file at all.
    """
    paths = list(map(Path, paths))
    inputs = list(dict.fromkeys(found for path in paths for found in _files(path)))
    if not inputs:
        raise SnapshotError(f"{', '.join(map(str, paths))}: no files in this folder")
    return inputs


def _files(path: Path) -> Iterator[Input]:
    if path.is_dir():
        inside = (one for one in path.rglob("*") if one.is_file() and not any(part.startswith(".") for part in one.relative_to(path).parts))
        yield from (Input(str(one), one) for one in sorted(inside))
    elif path.exists():
        yield Input(str(path), path)
    else:
        raise SnapshotError(f"{path}: no such file or folder")
