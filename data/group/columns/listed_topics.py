"""The topics of a listing, as arrays."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.java.hashing import sort_key
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import Budget, footprint
from evenkeel.data.group.columns.rows import (
    TopicRows,
    topic_rows,
    uuid_halves,
)
from evenkeel.data.group.document import MAX_PARTITIONS, Member
from evenkeel.data.group.tables.arrow import integers, names

if TYPE_CHECKING:
    import pyarrow as pa

from evenkeel.data.group.columns.group import TopicColumns, mentioned_topics, unknown_offsets

# The topics of a group from OFFSETS and TOPICS.


def listed_topics(
    offsets: "pa.Table",
    topics: "pa.Table",
    members: Sequence[Member],
    described: Sequence[str] | None,
    budget: Budget | None = None,
) -> tuple[TopicColumns, list[int]]:
    """Return the topics' columns, and the indices in the source of topics with assumed size.

    If a topic's size is not printed, it is assumed to be the highest partition + 1. `described`:
    topics of a group document, in its order. If None, the source is a listing; its topics are
    sorted by name, and a topic needs a row or a partition that a member owns.
    """
    mentioned = mentioned_topics(members)
    rows = topic_rows(
        _named(offsets, topics, members, mentioned) if described is None else described, mentioned
    )
    offsets_at, topics_at = _places(offsets, rows), _places(topics, rows)
    printed = _highest(len(rows.name), [(topics_at, integers(topics["partition_count"]))])
    seen = [
        (offsets_at, integers(offsets["partition"])),
        (topics_at, integers(topics["partition"])),
    ]
    reached = _highest(
        len(rows.name), seen if described is not None else [*seen, *_held(members, rows)]
    )
    partition_count = np.where(rows.is_known, np.maximum(np.maximum(printed, reached + 1), 0), 0)
    if partition_count.sum() > MAX_PARTITIONS:
        raise SnapshotError(
            f"topics of one group have {partition_count.sum():,} partitions in all, expected at"
            f" most {MAX_PARTITIONS:,}"
        )
    if budget is not None:
        budget.require_listed(footprint(partition_count.sum(), len(rows.name), members))
    begin, end, committed, lag = _offsets(offsets, offsets_at, partition_count)
    columns = TopicColumns(
        rows,
        partition_count,
        *_topic_ids(topics, topics_at, len(rows.name)),
        begin,
        end,
        committed,
        lag,
        *_racks(topics, topics_at, partition_count),
    )
    return columns, np.sort(rows.place[rows.is_known & (reached + 1 > printed)]).tolist()


def _named(
    offsets: "pa.Table", topics: "pa.Table", members: Sequence[Member], mentioned: set[str]
) -> list[str]:
    described = set(names(topics["topic"]).name)
    held = {
        topic
        for member in members
        for owned in (member.owned, member.current)
        for topic in owned or ()
    }
    known = held.union(names(offsets["topic"]).name, mentioned & described)
    return sorted(known if known or members else described, key=sort_key)


def _places(table: "pa.Table", rows: TopicRows) -> np.ndarray:
    """Return the row number of each row's topic, int64; -1 if the group does not have the topic."""
    topic = names(table["topic"])
    return np.array([rows.row.get(name, -1) for name in topic.name], dtype=np.int64)[topic.code]


def _highest(topic_count: int, numbers: Iterable[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return the highest partition number of each topic; -1 if a topic has no numbers."""
    highest = np.full(topic_count, -1, dtype=np.int64)
    for topic, number in numbers:
        np.maximum.at(highest, topic[topic >= 0], number[topic >= 0])
    return highest


def _held(members: Iterable[Member], rows: TopicRows) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    for member in members:
        for held in (member.owned, member.current):
            highest = {
                rows.row[topic]: max(partitions)
                for topic, partitions in (held or {}).items()
                if partitions
            }
            yield np.fromiter(highest.keys(), np.int64), np.fromiter(highest.values(), np.int64)


def _offsets(
    offsets: "pa.Table", topic: np.ndarray, partition_count: np.ndarray
) -> list[np.ndarray]:
    """Return the begin offset, end offset, committed offset and given lag of each partition.

    If a partition has several rows, the first known value is returned. The given lag is the printed
    lag if the end or committed offset is missing; a negative lag is 0.
    """
    if not offsets.num_rows:
        return [unknown_offsets(int(partition_count.sum()))] * 4
    first_tp = np.concatenate(([0], np.cumsum(partition_count)))
    tp = np.where(topic >= 0, first_tp[topic] + integers(offsets["partition"]), -1)
    begin, end, committed, listed = (
        _by_tp(offsets, column, tp, int(first_tp[-1]))
        for column in ("begin_offset", "end_offset", "committed_offset", "listed_lag")
    )
    given = (listed != UNKNOWN) & ((end == UNKNOWN) | (committed == UNKNOWN))
    return [begin, end, committed, np.where(given, listed, UNKNOWN)]


def _by_tp(offsets: "pa.Table", column: str, tp: np.ndarray, tp_count: int) -> np.ndarray:
    values = integers(offsets[column])
    if column == "listed_lag":
        values = np.where(
            offsets[column].combine_chunks().is_valid().to_numpy(zero_copy_only=False),
            np.maximum(values, 0),
            UNKNOWN,
        )
    by_tp = np.full(tp_count, UNKNOWN, dtype=np.int64)
    # In reverse order: if an index gets several values, numpy keeps the last.
    says = np.flatnonzero((values != UNKNOWN) & (tp >= 0))[::-1]
    by_tp[tp[says]] = values[says]
    return by_tp


def _topic_ids(
    topics: "pa.Table", topic: np.ndarray, topic_count: int
) -> tuple[np.ndarray, np.ndarray]:
    topic_id, known = np.zeros((topic_count, 2), dtype=np.int64), np.zeros(topic_count, dtype=bool)
    printed = names(topics["topic_id"])
    says = np.flatnonzero((printed.code >= 0) & (topic >= 0))[::-1]
    halves = np.array([uuid_halves(text) for text in printed.name], dtype=np.int64).reshape(-1, 2)
    topic_id[topic[says]], known[topic[says]] = halves[printed.code[says]], True
    return topic_id, known


def _racks(
    topics: "pa.Table", topic: np.ndarray, partition_count: np.ndarray
) -> tuple[np.ndarray, list[str | None]]:
    """Return the index of each partition's first replica, and the rack of each replica."""
    first_tp = np.concatenate(([0], np.cumsum(partition_count)))
    partition = integers(topics["partition"])
    racks = topics["racks"].combine_chunks()
    says = np.flatnonzero(
        (topic >= 0) & (partition >= 0) & racks.is_valid().to_numpy(zero_copy_only=False)
    )
    tp, by_row = np.unique(first_tp[topic[says]] + partition[says], return_index=True)
    listed = racks.take(says[by_row]).to_pylist()
    count = np.zeros(first_tp[-1], dtype=np.int64)
    count[tp] = [len(replicas) for replicas in listed]
    return np.concatenate(([0], np.cumsum(count))).astype(np.int32), list(
        chain.from_iterable(listed)
    )
