"""The groups of an upload or of a cluster with their diagnoses, most urgent first."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.dashboard.groups.columns import sparkline
from evenkeel.dashboard.groups.verdicts import (
    ListedVerdicts,
    listed_verdicts,
)
from evenkeel.dashboard.rebalances.loading.lake import with_rebalances
from evenkeel.dashboard.shell.cache import missing
from evenkeel.dashboard.shell.loading.diagnoses import summaries
from evenkeel.dashboard.shell.loading.episodes import hours_behind, pasts
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.shell.reader import reader
from evenkeel.data.diagnosis.summary import Summary
from evenkeel.data.episodes.past import GroupPast
from evenkeel.data.group.tables.series import Axis
from evenkeel.data.lake.history.instants import Instants
from evenkeel.data.prometheus.facts import StoredLast

AT_ONCE = 200
"""Highest number of groups that are diagnosed while the page waits; each takes about 6 ms."""

_SECONDS_BETWEEN = 300
"""Two compared snapshots are at least this many seconds apart. A partition without progress in this
time has stopped.
"""

_MOST_DRAWN = 30
"""Highest number of groups with a drawing of their last hours.

Enough for the lines of home, and for the groups of an open fold.
"""

_LAST = (9, 0, 0, 0, "")
"""Rank of a group without a diagnosis: after all other groups."""


class Groups(NamedTuple):
    """Rows of the list. `is_behind`: whether some diagnoses are still being computed."""

    rows: list[dict[str, Any]]
    is_behind: bool = False


def of_upload(batch: str) -> Groups:
    """Return the groups of an upload.

    Raises
    ------
    SnapshotError
        If the batch was deleted.
    """
    return _of_batch(batch, lambda row, place: {"id": str(place), "from_listing": True})


def of_store(last: StoredLast, listed: pa.Table | None) -> Groups:
    """Return the groups of a cluster from the last slot of its metrics store.

    `listed`: table GROUPS from the brokers, which know the members. A group that only the brokers
    list has no diagnosis, and is at the end.

    Raises
    ------
    SnapshotError
        If the batch was deleted.
    """
    every = of_list(listed).rows if listed is not None else []
    of_brokers = {row["group_id"]: row for row in every}

    listing = imported(last.batch).manifest
    cluster, taken_at = listing.cluster or "", listing.taken_at
    past = pasts(cluster, 0)

    def more(row: dict[str, Any], place: int) -> dict[str, Any]:
        of_now, before = of_brokers.pop(row["group_id"], {}), past.of_group.get(row["group_id"])
        known = {name: of_now[name] for name in _OF_BROKERS if name in of_now}
        return (
            known
            | {
                "id": row["group_id"],
                "of_cluster": True,
                "source": last.facts.tip,
                "is_about": bool(last.facts.derived),
                "past": before,
                "lag_seconds": None,
                "now": taken_at and taken_at.timestamp(),
            }
            | _behind(before)
        )

    groups = _of_batch(last.batch, more)
    rows = [*_with_hours(cluster, groups.rows), *of_brokers.values()]
    return groups._replace(rows=rows, is_behind=groups.is_behind or past.is_behind)


_OF_BROKERS = ("group_type", "state", "member_count", "assignor", "leader", "leader_certain")
"""Columns of GROUPS that a metrics store lacks."""


def _of_batch(batch: str, more: Callable[[dict[str, Any], int], dict[str, Any]]) -> Groups:
    table = imported(batch).groups.table
    made, is_behind = _summaries(batch, table.num_rows)
    rows = [
        row
        | {
            "summary": made[place] if place < len(made) else None,
            "is_whole": row["unknown_lag_count"] == 0,
        }
        | more(row, place)
        for place, row in enumerate(table.to_pylist())
    ]
    return Groups(_in_order(rows), is_behind)


def of_slots(cluster: str, slots: Instants) -> Groups:
    """Return the groups of a cluster from the last slot of the lake. No broker is asked.

    Each diagnosis also uses an earlier slot, at least five minutes before the last slot.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    batch = slots.axis.batch[-1]
    table = with_rebalances(cluster, imported(batch).groups.table)
    # Pasts and verdicts are computed in the background, at the same time.
    pasts(cluster, 0)
    verdicts = listed_verdicts(cluster)
    more, past = _of_verdicts(verdicts), pasts(cluster, 0)
    made, is_behind = _summaries(batch, table.num_rows, _before(slots.axis))
    now = float(slots.axis.time[-1])
    rows = []
    for place, row in enumerate(table.to_pylist()):
        summary = made[place] if place < len(made) else None
        before = past.of_group.get(row["group_id"])
        rows.append(
            row
            | more.get(row["group_id"], _UNSEEN)
            | _behind(before)
            | {
                "id": row["group_id"],
                "summary": summary,
                "is_whole": row["unknown_lag_count"] == 0,
                "of_cluster": True,
                "past": before,
                "now": now,
            }
        )
    ordered = _in_order(rows)
    return Groups(_with_hours(cluster, ordered), is_behind or verdicts.is_behind or past.is_behind)


def _behind(past: GroupPast | None) -> dict[str, Any]:
    """Return the time lag of a group, as Overview shows it. Empty if unknown."""
    if past is None or past.outlook.behind is None:
        return {}
    return {
        "lag_seconds": past.outlook.behind,
        "lag_seconds_method": past.outlook.method,
        "unknown_seconds_count": past.outlook.unknown_count,
    }


def _with_hours(cluster: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add a picture of the last hours to the first groups that are not fine."""
    ill = [row for row in rows if row["summary"] and row["summary"].code != Code.FINE]
    first = {row["group_id"]: row for row in ill[:_MOST_DRAWN]}
    for name, seconds in hours_behind(cluster, tuple(first)).items():
        if name in first:
            past: GroupPast | None = first[name]["past"]
            retention = past and past.outlook.kept
            first[name]["behind_drawn"] = sparkline(range(len(seconds)), seconds, retention)
    return rows


def of_list(groups: pa.Table) -> Groups:
    """Return the groups of a cluster without a collector. These groups have no diagnoses."""
    rows = [
        row
        | {
            "id": row["group_id"],
            "unnamed_in": None,
            "summary": None,
            "is_whole": row["unknown_lag_count"] == 0 and not row["problem"],
            "of_cluster": True,
        }
        for row in groups.to_pylist()
    ]
    return Groups(_in_order(rows))


_VERDICT = (
    "lag_seconds",
    "lag_seconds_method",
    "unknown_seconds_count",
    "lags",
    "in_rate",
    "out_rate",
)
_UNSEEN: dict[str, Any] = dict.fromkeys((*_VERDICT, "lag_change", "slots"))


def _of_verdicts(verdicts: ListedVerdicts) -> dict[str, dict[str, Any]]:
    """Return for each group the figures from its last snapshots."""
    if verdicts.groups is None or verdicts.axis is None:
        return {}
    slots = (verdicts.axis.slot - verdicts.axis.slot[0]).tolist()
    of_group = {}
    for row in verdicts.groups.select(["group_id", "unknown_lag_count", *_VERDICT]).to_pylist():
        is_whole = row["unknown_lag_count"] == 0 and None not in (row["in_rate"], row["out_rate"])
        # A rate is the sum of the known rates of partitions.
        change = 60 * (row["in_rate"] - row["out_rate"]) if is_whole else None
        more = {name: row[name] for name in _VERDICT} | {
            "slots": slots,
            "lag_change": None if change is None or math.isnan(change) else change,
        }
        of_group[row["group_id"]] = more
    return of_group


def _in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=_rank)


def _rank(row: Mapping[str, Any]) -> tuple:
    summary: Summary | None = row["summary"]
    rank = summary.rank if summary else _LAST
    # Fine groups are sorted by lag, even if a finding explains the lag.
    return (*rank[:3], -(row["lag"] or 0), *rank[3:])


def _before(axis: Axis) -> str | None:
    """Return the batch of the last slot that is at least `_SECONDS_BETWEEN` old. If there is none,
    return the batch of the first slot.

    None if the cluster has only one slot.
    """
    early = np.flatnonzero(axis.time <= axis.time[-1] - _SECONDS_BETWEEN)
    place = int(early[-1]) if early.size else 0
    return axis.batch[place] if place < axis.time.size - 1 else None


def _summaries(
    batch: str, count: int, before: str | None = None
) -> tuple[tuple[Summary, ...], bool]:
    """Return the summaries of a batch, and whether they are still being computed.

    A large batch is computed in the background; until then there are no summaries.
    """
    if count <= AT_ONCE:
        return summaries(batch, before), False
    key = (_summaries, batch, reader().scope)
    is_behind = bool(missing({key: lambda is_asked: summaries(batch, before)}))
    return ((), True) if is_behind else (summaries(batch, before), False)
