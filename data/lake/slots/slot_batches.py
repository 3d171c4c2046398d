"""Names of the batches that a collector writes: one for each slot, later one for each hour, then one for each day."""

import re
import zlib
from datetime import UTC, date, datetime

THINNED = "-thinned"

_SLOT = re.compile(r"(.+)-(\d{8}T\d{6}Z)")
_HOUR = re.compile(r"(.+)-(\d{8}T\d{2})")
_DAY = re.compile(rf"(.+)-(\d{{8}})({THINNED})?")
_TIME = "%Y%m%dT%H%M%SZ"
_HOUR_TIME = "%Y%m%dT%H"
_DAY_TIME = "%Y%m%d"


def slug_of(cluster: str) -> str:
    """Return a name for keys: the cluster's own where it has no other signs than letters, digits and -."""
    slug = re.sub("[^A-Za-z0-9-]", "-", cluster)[:30]
    return slug if slug == cluster else f"{slug}-{zlib.crc32(cluster.encode()):08x}"


def slot_batch(cluster: str, slot: int) -> str:
    """Return the batch of a slot, given in seconds since 1970."""
    return f"{slug_of(cluster)}-{datetime.fromtimestamp(slot, UTC):{_TIME}}"


def time_of(batch: str) -> datetime | None:
    """Return when the slot of a batch begins, None for a batch that is no slot."""
    return _parsed(_SLOT, _TIME, batch)


def hour_of(batch: str) -> datetime | None:
    """Return the hour of a batch that holds the slots of one, None for any other batch."""
    return _parsed(_HOUR, _HOUR_TIME, batch)


def day_of(batch: str) -> date | None:
    """Return the day of a batch that holds the slots of one, None for any other batch."""
    time = _parsed(_DAY, _DAY_TIME, batch)
    return time.date() if time else None


def _parsed(pattern: re.Pattern, form: str, batch: str) -> datetime | None:
    found = pattern.fullmatch(batch)
    try:
        return datetime.strptime(found[2], form).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def slug_in(batch: str) -> str:
    """Return the slug of the batch of a slot, an hour or a day."""
    return batch.removesuffix(THINNED).rpartition("-")[0]


def hour_batch(slug: str, hour: datetime) -> str:
    """Return the batch that holds the slots of an hour in UTC."""
    return f"{slug}-{hour:{_HOUR_TIME}}"


def day_batch(slug: str, day: date, is_thinned: bool = False) -> str:
    """Return the batch that holds the slots of a day, all or those that are kept longer."""
    return f"{slug}-{day:{_DAY_TIME}}{THINNED if is_thinned else ''}"


def holders_of(batch: str) -> tuple[str, ...]:
    """Return the batches of hours and days that may hold a slot, the one that is there first; none for a batch that is no slot."""
    slug, time = slug_in(batch), time_of(batch)
    if not time:
        return ()
    return hour_batch(slug, time), *(day_batch(slug, time.date(), is_thinned) for is_thinned in (False, True))
