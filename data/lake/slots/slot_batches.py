"""Names of the batches that a collector writes: one for each slot, later one for each day."""

import re
import zlib
from datetime import UTC, date, datetime

THINNED = "-thinned"

_SLOT = re.compile(r"(.+)-(\d{8}T\d{6}Z)")
_DAY = re.compile(rf"(.+)-(\d{{8}})({THINNED})?")
_TIME = "%Y%m%dT%H%M%SZ"


def slug_of(cluster: str) -> str:
    """Return a name for keys: the cluster's own where it has no other signs than letters, digits and -."""
    slug = re.sub("[^A-Za-z0-9-]", "-", cluster)[:30]
    return slug if slug == cluster else f"{slug}-{zlib.crc32(cluster.encode()):08x}"


def slot_batch(cluster: str, slot: int) -> str:
    """Return the batch of a slot, given in seconds since 1970."""
    return f"{slug_of(cluster)}-{datetime.fromtimestamp(slot, UTC):{_TIME}}"


def time_of(batch: str) -> datetime | None:
    """Return when the slot of a batch begins, None for a batch that is no slot."""
    found = _SLOT.fullmatch(batch)
    try:
        return datetime.strptime(found[2], _TIME).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def day_of(batch: str) -> date | None:
    """Return the day of a batch that holds the slots of one, None for any other batch."""
    found = _DAY.fullmatch(batch)
    try:
        return datetime.strptime(found[2], "%Y%m%d").date() if found else None
    except ValueError:
        return None


def slug_in(batch: str) -> str:
    """Return the slug of the batch of a slot or a day."""
    return batch.removesuffix(THINNED).rpartition("-")[0]


def day_batch(slug: str, day: date, is_thinned: bool = False) -> str:
    """Return the batch that holds the slots of a day, all or those that are kept longer."""
    return f"{slug}-{day:%Y%m%d}{THINNED if is_thinned else ''}"


def days_of(batch: str) -> tuple[str, ...]:
    """Return the batches of days that may hold a slot, the one that is there first; none for a batch that is no slot."""
    time = time_of(batch)
    return (day_batch(slug_in(batch), time.date()), day_batch(slug_in(batch), time.date(), is_thinned=True)) if time else ()
