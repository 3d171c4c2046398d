"""What the tasks of a batch leave for each other while the batch is written: one file for each task and kind."""

from pathlib import Path


def left(folder: Path, kind: str) -> list[Path]:
    """Return the files of one kind, such as `OFFSETS`, in the order of the tasks."""
    return sorted(folder.glob(f"*.{kind}"))
