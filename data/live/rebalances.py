"""The rebalances of a live cluster: its topic `__consumer_offsets` read once, with the names of topics that can be seen."""

from collections.abc import Callable, Iterator
from typing import Any

from evenkeel.data.live.connection import connected
from evenkeel.data.live.offsets_topic import offsets_records, topic_ids
from evenkeel.data.live.wire.coordinator_records import MEMBER, Record, RecordCounts


def read_topic(cluster: str, group: str | None, read: Callable[..., Any]) -> Any:
    """Return what `read` makes of the records; it is called with `records`, `counts` and `topics`, names by id that fill while it reads.

    Raises
    ------
    UnansweredError
        When the topic cannot be read: the missing right is named.
    """
    counts, names, subscribed = RecordCounts(), {}, set()

    def records() -> Iterator[Record]:
        for one in offsets_records(connection, counts, group):
            if one.kind == MEMBER and one.value is not None:
                subscribed.update(one.value.topics)
            yield one
        names.update(topic_ids(connection, lambda: subscribed))

    with connected(cluster) as connection:
        return read(records=records(), counts=counts, topics=names)
