"""Waits until groups rest, and reads them."""

import time
from collections.abc import Collection, Mapping

from evenkeel.data.group.document import Document
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from tests.brokers.predictions.group import Group
from tests.brokers.predictions.predicted import seen

_PAUSE_SECONDS = 0.6
"""More than a heartbeat: a member that has still to rejoin says so in between."""


def at_rest(
    connection: Connection,
    groups: Collection[Group],
    gone: Mapping[str, str] | None = None,
    seconds: float = 240,
) -> dict[str, Document]:
    """Return the document of each group that rests within some seconds, the same twice. `gone`: by
    group, a member id that must be gone.
    """
    deadline, before, found = time.monotonic() + seconds, {}, {}
    while time.monotonic() < deadline and (
        left := {one.group_id: one for one in groups if one.group_id not in found}
    ):
        listed = [one for one in connection.ask(connection.raw.listed) if one.group_id in left]
        documents = {one.group_id: one.document for one in live_groups(connection, listed)}
        resting = {
            one: document for one, document in documents.items() if left[one].rests(document)
        }
        now = {
            one: seen(document)
            for one, document in resting.items()
            if (gone or {}).get(one) not in seen(document)
        }
        found |= {one: resting[one] for one in now if now[one] == before.get(one)}
        before = now
        time.sleep(_PAUSE_SECONDS)
    return found
