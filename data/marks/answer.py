"""People's marks on a cluster or on one of its groups. The lake contains one object for each mark.

mark = new_mark("production", "payments", None, "deploy 2.41.0")
add(lake, mark)
marks_of(lake, "production", "payments", since, until)
"""

import re
import secrets
from datetime import UTC, datetime
from typing import Annotated

import msgspec

from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import collected_clusters
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of
from evenkeel.data.text.formats import listed

MOST_TEXT = 120
MOST_NAME = 300
MOST = 200
"""Limit of the marks that are read from a time range; the newest are read."""

_FOLDER = "history/MARKS"
_TIME = "%Y%m%dT%H%M%SZ"
_ID = re.compile(r"([A-Za-z0-9-]{1,40})-(\d{8}T\d{6}Z)-[0-9a-f]{12}")


class Mark(msgspec.Struct, frozen=True):
    """A time that a person has marked with a text. `group`: None if the mark is for all groups of
    the cluster. `mark_id` does not contain the group's name.
    """

    mark_id: str
    cluster: str
    group: str | None
    at: Annotated[datetime, msgspec.Meta(tz=True)]
    text: str


def new_mark(cluster: str, group: str | None, at: datetime | None, text: str) -> Mark:
    """Return a new mark without storing it. `at`: its time, by default now.

    Raises
    ------
    SnapshotError
        If a text or name is empty or too long.
    """
    text = text.strip()
    if not (0 < len(text) <= MOST_TEXT and text.isprintable()):
        raise SnapshotError(
            f"text: found {len(text)} characters, expected one line of 1 to {MOST_TEXT} characters"
        )
    for name, value in (("cluster", cluster), ("group", group)):
        if value is not None and not 0 < len(value) <= MOST_NAME:
            raise SnapshotError(
                f"{name}: found {len(value)} characters, expected 1 to {MOST_NAME:,}"
            )
    moment = (at or clock.now()).astimezone(UTC).replace(microsecond=0)
    mark_id = f"{slug_of(cluster)}-{moment:{_TIME}}-{secrets.token_hex(6)}"
    return Mark(mark_id, cluster, group, moment, text)


def require_known(lake: Place, cluster: str) -> None:
    """Raise SnapshotError if a cluster is neither configured nor in the lake: no page would show a
    mark of this cluster.
    """
    known = sorted({*configuration().clusters, *collected_clusters(lake)})
    if cluster not in known:
        expected = f"one of {listed(known)}" if known else "one that evenkeel.toml names"
        raise SnapshotError(f'cluster: found "{cluster[:80]}", expected {expected}')


def add(lake: Place, mark: Mark) -> None:
    """Store a mark."""
    lake.create(_key(mark.mark_id), msgspec.json.encode(mark))


def mark_in(lake: Place, mark_id: str) -> Mark:
    """Return a stored mark.

    Raises
    ------
    SnapshotError
        If no mark has this id.
    """
    try:
        if not _ID.fullmatch(mark_id):
            raise FileNotFoundError(mark_id)
        return msgspec.json.decode(lake.read(_key(mark_id)), type=Mark)
    except (FileNotFoundError, msgspec.DecodeError):
        raise SnapshotError(f'no mark "{mark_id[:80]}"') from None


def delete(lake: Place, mark: Mark) -> None:
    """Delete a mark."""
    lake.delete([_key(mark.mark_id)])


def marks_of(
    lake: Place, cluster: str, group: str | None, since: float, until: float
) -> list[Mark]:
    """Return the marks of a group and of its cluster between two times (seconds since 1970), oldest
    first.
    """
    ids = [name.removesuffix(".json") for name in lake.names(_FOLDER)]
    slug = slug_of(cluster)
    in_range = [each for each in ids if _is_in(each, slug, since, until)]
    latest = sorted(in_range, key=lambda each: each.rpartition("-")[0])[-MOST:]
    marks = [mark_in(lake, each) for each in latest]
    return [each for each in marks if each.cluster == cluster and each.group in (group, None)]


def _is_in(mark_id: str, slug: str, since: float, until: float) -> bool:
    parts = _ID.fullmatch(mark_id)
    if parts is None or parts[1] != slug:
        return False
    at = datetime.fromisoformat(parts[2]).timestamp()
    return since <= at <= until


def _key(mark_id: str) -> str:
    return f"{_FOLDER}/{mark_id}.json"
