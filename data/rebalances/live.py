"""The rebalances of a live cluster, from one reading of its topic `__consumer_offsets`.

Topic names are known only for topics that the user may describe.
"""

from collections.abc import Iterator, Sequence

from evenkeel.data.extras import required
from evenkeel.data.lake.place import Place
from evenkeel.data.live.wire.coordinator_records import MEMBER, TOPIC, Record, RecordCounts
from evenkeel.data.rebalances.history import History, HistoryRequest, read_history
from evenkeel.data.rebalances.store import write_told
from evenkeel.data.sources.source import Readable


@required("live")
def read_cluster(
    cluster: str,
    request: HistoryRequest = HistoryRequest(),
    logs: Sequence[Readable] = (),
    dump: Sequence[Readable] = (),
    keeps_generations: bool = False,
) -> History:
    """Return the rebalances from the cluster's `__consumer_offsets`, merged with logs and dumps.

    Raises
    ------
    UnansweredError
        If the topic cannot be read. The message names the missing right and two other ways.
    """
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.offsets_topic import offsets_records, topic_ids

    counts, names = RecordCounts(), dict[str, str]()
    subscribed = set[str]()

    def records() -> Iterator[Record]:
        for record in offsets_records(connection, counts, request.group):
            if record.kind == MEMBER and record.value is not None:
                subscribed.update(record.value.topics)
            yield record
        names.update(topic_ids(connection, lambda: subscribed))

    with connected(cluster) as connection:
        return read_history(request, logs, dump, records(), names, counts, keeps_generations)


def read_topic_into(home: Place, cluster: str) -> None:
    """Read `__consumer_offsets` of a cluster and store its rebalances; raises as `read_cluster`."""
    write_told(home, read_cluster(cluster), (TOPIC,), cluster)
