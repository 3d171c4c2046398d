"""Moment: a batch, with the time in its rows where it may show a group at several."""

from datetime import datetime


def moment_of(batch: str, time: datetime | None) -> str:
    """Return the name of a moment; that of the batch where its rows carry no time."""
    return f"{batch}@{time.isoformat()}" if time else batch


def parted(moment: str) -> tuple[str, datetime | None]:
    """Return the batch of a moment and the time in its rows, None where they carry none."""
    batch, _, time = moment.partition("@")
    return batch, datetime.fromisoformat(time) if time else None
