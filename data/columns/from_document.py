"""A group document becomes an observed group."""

from collections.abc import Iterable, Sequence

import numpy as np

from evenkeel.assignors.group import UNKNOWN
from evenkeel.data.columns.group import TopicColumns, mentioned_topics, observed_group
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.columns.rows import topic_rows, uuid_halves
from evenkeel.data.document import Document, Topic

_NO_NUMBERS = np.empty(0, dtype=np.int64)


def observed_from_document(document: Document) -> ObservedGroup:
    """Number the names of a document. Claims keep their order; a name that only a member mentions becomes a topic without partitions."""
    members = document.members or []
    topics = _topic_columns(document.topics or [], mentioned_topics(members))
    return observed_group(document, topics, members, document.assumed or ())


def _topic_columns(listed: Sequence[Topic], mentioned: Iterable[str]) -> TopicColumns:
    rows = topic_rows([topic.name for topic in listed], mentioned)
    partition_count = np.zeros(len(rows.name), dtype=np.int64)
    partition_count[rows.known_row] = [topic.size for topic in listed]
    topic_id = np.zeros((len(rows.name), 2), dtype=np.int64)
    topic_id_known = np.zeros(len(rows.name), dtype=bool)
    for row, topic in zip(rows.known_row, listed, strict=True):
        if topic.topic_id is not None:
            topic_id[row], topic_id_known[row] = uuid_halves(topic.topic_id), True
    in_order = [listed[place] for place in rows.place[rows.is_known]]
    begin, end, committed, lag = (_offsets(in_order, key) for key in ("begin_offset", "end_offset", "committed_offset", "lag"))
    return TopicColumns(rows, partition_count, topic_id, topic_id_known, begin, end, committed, lag, *_replicas(in_order))


def _offsets(topics: Iterable[Topic], key: str) -> np.ndarray:
    """int64 (P,): one key of every partition, `UNKNOWN` where it is not there."""
    columns = [_NO_NUMBERS]
    for topic in topics:
        if isinstance(topic.partitions, int):
            columns.append(np.full(topic.partitions, UNKNOWN))
        else:
            values = [getattr(partition, key) for partition in topic.partitions]
            columns.append(np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64))
    return np.concatenate(columns)


def _replicas(topics: Iterable[Topic]) -> tuple[np.ndarray, list[str | None]]:
    """Return where each partition's replicas start, int32 (P + 1,), and the rack of each replica."""
    counts = [_NO_NUMBERS]
    racks: list[str | None] = []
    for topic in topics:
        if isinstance(topic.partitions, int):
            counts.append(np.zeros(topic.partitions, dtype=np.int64))
            continue
        counts.append(np.array([len(partition.racks or ()) for partition in topic.partitions], dtype=np.int64))
        for partition in topic.partitions:
            racks.extend(partition.racks or ())
    return np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int32), racks
