"""Tables and CSV of two assignments: by partition, by pair of members, by member.

Also a table of a group's partitions.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.balance import Load
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import (
    UNKNOWN_LAG,
    committed_before_begin,
    committed_past_end,
    total_lag,
)
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.dashboard.names import NO_OWNER
from evenkeel.dashboard.parts.facts import LAG, PARTITIONS
from evenkeel.dashboard.parts.table_files import harmless
from evenkeel.dashboard.view import Change, View

LAG_UNKNOWN = "Lag unknown"
"""Column head: number of partitions with unknown lag. The lag next to it is then a lower bound."""

KINDS = ("Moved", "Kept", "Previously unowned", "Left unowned", "All")
"""Kinds of change. The words `added` and `revoked` are not used: they describe a single member."""


def rows_of(change: Change, kind: str) -> np.ndarray:
    """Return the row numbers in `change.pairs` with this kind of change, one of `KINDS`.

    Most lag first, unknown lag last. If lags are equal, the order is topic, then partition.
    """
    giver, getter = change.pairs.from_member, change.pairs.to_member
    chosen = {
        "Kept": giver == getter,
        "Previously unowned": giver == UNASSIGNED,
        "Left unowned": getter == UNASSIGNED,
        "Moved": (giver != getter) & (giver != UNASSIGNED) & (getter != UNASSIGNED),
        "All": np.ones(len(giver), dtype=bool),
    }
    rows = np.flatnonzero(chosen[kind])
    return rows[np.argsort(-change.lag[rows], kind="stable")]


# Columns of the lists: the key is the head in the CSV, the word is the head on a page.


_UNKNOWN = "lag_unknown_partitions"
_WORDS = {
    "name": "Partition",
    "from_member": "From",
    "to_member": "To",
    "partitions": PARTITIONS,
    "lag": "Lag, records",
    "lag_share_percent": "Share of known lag",
    _UNKNOWN: LAG_UNKNOWN,
    "member": "Member",
    **{
        f"{key}_{side}": f"{word} {side}"
        for key, word in (("partitions", PARTITIONS), ("lag", LAG), (_UNKNOWN, LAG_UNKNOWN))
        for side in ("before", "added", "revoked", "after")
    },
}


def by_partition(view: View, change: Change, rows: np.ndarray) -> pd.DataFrame:
    """Return a table of partitions: name, owners, lag, and percent of all known lag.

    Unknown is null.
    """
    pairs = change.pairs
    names = partition_names(view.comparison.group, pairs.topic[rows], pairs.partition[rows])
    moved = _moved(change, rows, [*view.names, NO_OWNER])
    return _worded(pd.DataFrame({"name": names} | moved))


def _moved(change: Change, rows: np.ndarray, names: Sequence[str]) -> dict[str, Any]:
    """Return the columns for owners, lag, and percent of all known lag.

    `names`: names of all members, then the text for "no owner".
    """
    # UNASSIGNED is -1, so it selects the last name.
    owner, lag = np.array(names, dtype=object), known_lag(change.lag[rows])
    return {
        "from_member": owner[change.pairs.from_member[rows]],
        "to_member": owner[change.pairs.to_member[rows]],
        "lag": lag,
        "lag_share_percent": 100 * lag.astype("Float64") / (total_lag(change.lag) or pd.NA),
    }


def by_pair(view: View, change: Change) -> pd.DataFrame:
    """Return the number of moved partitions and their known lag, by pair of members, most lag
    first.

    A separate column counts partitions with unknown lag, if there are any.
    """
    return _needed(_pairs_of(change, [*view.names, NO_OWNER]))


def _pairs_of(change: Change, names: Sequence[str]) -> pd.DataFrame:
    flows = change.moves.flows()
    frame = pd.DataFrame(
        {
            # UNASSIGNED is -1, so it selects the last name.
            "from_member": [names[member] for member in flows.from_member],
            "to_member": [names[member] for member in flows.to_member],
            "partitions": flows.load.partition_count,
            "lag": _lag_of(flows.load),
            _UNKNOWN: flows.load.unknown_lag_count,
        }
    )
    return frame.sort_values(
        ["lag", "partitions", "from_member", "to_member"],
        ascending=[False, False, True, True],
        ignore_index=True,
    )


def by_member(view: View, change: Change) -> pd.DataFrame:
    """Return each member's partitions and known lag: before, added, revoked and after.

    after = before + added - revoked. Separate columns count partitions with unknown lag, if there
    are any.
    """
    return _needed(_members_of(view, change, view.names))


def _members_of(view: View, change: Change, names: Sequence[str]) -> pd.DataFrame:
    retained, added, revoked = change.moves.retained, change.moves.added, change.moves.revoked
    loads = {
        "before": _both(retained, revoked),
        "added": added,
        "revoked": revoked,
        "after": _both(retained, added),
    }
    columns = {
        **{f"partitions_{word}": load.partition_count for word, load in loads.items()},
        **{f"lag_{word}": _lag_of(load) for word, load in loads.items()},
        **{f"{_UNKNOWN}_{word}": load.unknown_lag_count for word, load in loads.items()},
    }
    frame = pd.DataFrame({"member": names} | columns)
    return frame.iloc[view.order].reset_index(drop=True)


def _needed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with column heads for a page.

    The columns that count unknown lags are dropped if all lags are known.
    """
    counts = [name for name in frame if name.startswith(_UNKNOWN)]
    shown = frame if frame[counts].any(axis=None) else frame.drop(columns=counts)
    return _worded(shown)


def _worded(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.set_axis([_WORDS[key] for key in frame], axis=1)


def _both(load: Load, other: Load) -> Load:
    return Load(*(first + second for first, second in zip(load, other, strict=True)))


def _lag_of(load: Load) -> pd.Series:
    """Return the known lag of each load; null if all of its partitions have unknown lag."""
    known = (load.partition_count == 0) | (load.unknown_lag_count < load.partition_count)
    return where_known(load.lag, known)


# Columns of several tables: names of partitions and owners, and whole numbers with null for
# unknown.


def partition_names(group: GroupSnapshot, topic: np.ndarray, partition: np.ndarray) -> list[str]:
    """Return the names of partitions; `topic` and `partition` have one entry for each partition."""
    return [
        partition_name(group.topic_name[topic_row], number)
        for topic_row, number in zip(topic, partition, strict=True)
    ]


def owners(names: Sequence[str], members: Iterable[int]) -> list[str]:
    """Return the owners' names. `members`: row numbers of members, or `UNASSIGNED`."""
    return [NO_OWNER if member == UNASSIGNED else names[member] for member in members]


def known_lag(lag: np.ndarray) -> pd.Series:
    """Return lags as a column; null if unknown."""
    return where_known(lag, lag != UNKNOWN_LAG)


def where_known(values: np.ndarray, known: np.ndarray) -> pd.Series:
    """Return whole numbers as a column; null if `known` is False."""
    # Not float64 with NaN: it rounds numbers beyond 2 ** 53.
    return pd.Series(values, dtype="Int64").where(pd.Series(known, dtype=bool))


# Partitions of a group, and of one member (current and with the candidate): lag, offsets, remarks.


PAST_END = "committed offset is past the end offset: the topic may have been recreated"
BEFORE_BEGIN = "committed record is deleted: lag counts from the begin offset"


def of_group(view: View) -> pd.DataFrame:
    """Return all partitions of the group, most lag first; unknown is null."""
    group, lag = view.comparison.group, view.comparison.lag
    tps = np.argsort(-lag, kind="stable")
    names = {"Partition": partition_names(group, group.tp_topic[tps], group.tp_partition[tps])}
    return pd.DataFrame(names | _numbers(group, tps, lag[tps], np.ones(tps.size, dtype=bool)))


def of_member(view: View, change: Change, member: int) -> pd.DataFrame:
    """Return the partitions that a member has now or after the change, most lag first.

    Unknown is null.
    """
    pairs, group = change.pairs, view.comparison.group
    rows = np.flatnonzero((pairs.from_member == member) | (pairs.to_member == member))
    rows = rows[np.argsort(-change.lag[rows], kind="stable")]
    topic, partition = pairs.topic[rows], pairs.partition[rows]
    exists = partition < group.partition_count[topic]
    names = {
        "Partition": partition_names(group, topic, partition),
        "Owner now": owners(view.names, pairs.from_member[rows])
        if view.comparison.rows[0].assignment
        else [None] * len(rows),
        "Owner after": owners(view.names, pairs.to_member[rows]),
    }
    return pd.DataFrame(
        names
        | _numbers(
            group, np.where(exists, group.first_tp[topic] + partition, 0), change.lag[rows], exists
        )
    )


def _numbers(group: GroupSnapshot, tps: np.ndarray, lag: np.ndarray, exists: np.ndarray) -> dict:
    """Return the columns of lag and offsets. `exists`: False for partitions that the topic does not
    have.
    """
    return {
        "Lag, records": known_lag(lag),
        "Committed": where_known(
            group.committed_offset[tps], exists & (group.committed_offset[tps] != UNKNOWN)
        ),
        "End": where_known(group.end_offset[tps], exists & (group.end_offset[tps] != UNKNOWN)),
        "Remark": lag_remarks(group, tps, exists),
    }


def lag_remarks(group: GroupSnapshot, tps: np.ndarray, exists: np.ndarray) -> list[str | None]:
    """Return a remark if lag is not end offset minus committed offset, else None."""
    past_end, before_begin = committed_past_end(group), committed_before_begin(group)
    texts = np.full(len(past_end), None, dtype=object)
    texts[before_begin] = BEFORE_BEGIN
    texts[past_end] = PAST_END
    return [text if there else None for text, there in zip(texts[tps], exists, strict=True)]


# The lists of Moves as CSV: all rows, full member ids, empty cells for unknown. No cell is a
# formula for a spreadsheet.


def partitions_csv(view: View, change: Change, rows: np.ndarray) -> str:
    """Return owners and lag as CSV for `rows` of `change.pairs`. "No owner" is an empty cell."""
    topics = np.array([harmless(name) for name in view.comparison.group.topic_name], dtype=object)
    places = {
        "topic": topics[change.pairs.topic[rows]],
        "partition": change.pairs.partition[rows],
    }
    moved = _moved(change, rows, [*_names(view), ""])
    return _csv(pd.DataFrame(places | moved).round({"lag_share_percent": 4}))


def pairs_csv(view: View, change: Change) -> str:
    """Return moved partitions and their lag as CSV, by pair of members. "No owner" is an empty
    cell.
    """
    return _csv(_pairs_of(change, [*_names(view), ""]))


def members_csv(view: View, change: Change) -> str:
    """Return each member's partitions and lag as CSV: before, added, revoked and after."""
    return _csv(_members_of(view, change, _names(view)))


def _names(view: View) -> list[str]:
    return [harmless(name) for name in view.comparison.group.member_id]


def _csv(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False, lineterminator="\r\n")
