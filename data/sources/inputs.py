"""The files that paths name."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from evenkeel.data.errors import SnapshotError


def files_of(paths: Iterable[str | Path]) -> list[Path]:
    """Return files as they are named and the files of folders by name, hidden ones left out; a file that is named twice comes once.

    Raises
    ------
    SnapshotError
        For a path that is not there, and where there is no file at all.
    """
    paths = list(map(Path, paths))
    files = list(dict.fromkeys(found for path in paths for found in files_at(path)))
    if not files:
        raise SnapshotError(f"{', '.join(map(str, paths))}: no files in this folder")
    return files


def files_at(path: Path) -> Iterator[Path]:
    """Yield a file, or the files of a folder.

    Raises
    ------
    SnapshotError
        For a path that is not there.
    """
    if path.is_dir():
        inside = (one for one in path.rglob("*") if one.is_file() and not any(part.startswith(".") for part in one.relative_to(path).parts))
        yield from sorted(inside)
    elif path.exists():
        yield path
    else:
        raise SnapshotError(f"{path}: no such file or folder")
