"""The rebalances of one group as a document for a share.

The document describes the input. Each rebalance is a line with all facts that a page shows.

document, lines = frozen(Stored(events, about), "payments")
thawed(document, lines)  # the same events, even if the log is deleted
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.event import (
    RECORDED,
    Rebalance,
    event_of,
    iso,
    millis,
    renumbered,
    row_of,
)
from evenkeel.data.rebalances.store import COUNTS, About, StoredRebalances

FORMAT = "evenkeel.rebalances/1"


def frozen(
    stored: StoredRebalances, group: str, head: Mapping[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the document and the lines; `head`: more values for the first line.

    Only the first line contains the name of the cluster. Line counts and times of other groups are
    left out. The end time of the whole input is included: pages that show the last hours end at
    this time.
    """
    events, own = stored.part(lambda event: event.group == group)
    own = msgspec.structs.replace(
        own, last=max(filter(None, (own.last, stored.about.last)), default=None)
    )
    about = {key: value for key, value in msgspec.to_builtins(own).items() if key not in COUNTS}
    cluster = about.pop("cluster")
    times = {name: iso(about[name]) for name in ("first", "last")}
    first = {"format": FORMAT, **head, "cluster": cluster}
    return {"format": FORMAT, "group_id": group, **about, **times}, [first, *map(_line, events)]


def _line(event: Rebalance) -> dict[str, Any]:
    """Return a line of `evenkeel rebalances --json`, plus log messages and facts from records."""
    row = row_of(event, iso)
    return event.document() | {name: row[name] for name in RECORDED} | {"lines": row["evidence"]}


def thawed(document: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> StoredRebalances:
    """Return the stored rebalances from a document and its lines, as `frozen` made them.

    Raises
    ------
    SnapshotError
        If the document or a line is damaged.
    """
    try:
        rest = {key: value for key, value in document.items() if key not in ("format", "group_id")}
        times = {name: millis(rest[name]) for name in ("first", "last")}
        about = msgspec.convert(rest | times | {"cluster": lines[0].get("cluster")}, About)
        return StoredRebalances(
            renumbered(event_of({**line, "evidence": line["lines"]}, millis) for line in lines[1:]),
            about,
        )
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise SnapshotError(f"the frozen rebalances are damaged: {error}") from None
