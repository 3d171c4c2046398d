"""Lineages: the same consumer across restarts. Kafka gives a dynamic member a new id each time; people know its client id and host.

`by_lineage(series)` is the series with one member for each consumer; events, owners, stays and capacities are then those of consumers.
"""

from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.series import RUN_SECONDS, Life, Restarts, Series, sorted_runs


class Identity(NamedTuple):
    """What a member says of itself, None where unknown; `instance_id`: its static id (KIP-345)."""

    client_id: str | None = None
    host: str | None = None
    instance_id: str | None = None


def by_lineage(series: Series, identity: tuple[Identity, ...], lead: int = 0) -> Series:
    """Return the series with successive members of one consumer joined under its last member id, and how often each came again.

    Members are one consumer that have the same static id; else the same client id, and host where several consumers share that, if at
    most one of them lives at a time. `identity`: of each member of the series, in its order. `lead`: slots before the range, whose
    restarts do not count.
    """
    of_member = _lineages(series, identity)
    count = int(of_member.max(initial=-1)) + 1
    is_member = np.zeros((count, series.slot_count), dtype=bool)
    np.logical_or.at(is_member, of_member, series.is_member.T)
    owner = np.append(of_member, UNASSIGNED).astype(np.int32)[series.owner]
    last_members = _last_members(series, of_member, count)
    return replace(
        series,
        member_id=tuple(series.member_id[row] for row in last_members),
        client_id=tuple(identity[row].client_id for row in last_members),
        lives=_lives(series, of_member, count),
        owner=owner,
        is_member=is_member.T,
        restarts=_restarts(series, of_member, is_member, lead),
    )


def _lineages(series: Series, identity: tuple[Identity, ...]) -> np.ndarray:
    """Return the lineage of each member, int64 (M,), numbered by their first members."""
    key: list[tuple] = [("member", row) for row in range(len(identity))]
    static, clients = defaultdict(list), defaultdict(list)
    for row, one in enumerate(identity):
        if one.instance_id is not None:
            static[one.instance_id].append(row)
    # A static id that two members have at once identifies neither.
    for instance, rows in static.items():
        if _live_alone(series, rows):
            _name(key, rows, ("static", instance))
    for row, one in enumerate(identity):
        if key[row][0] == "member" and one.client_id is not None:
            clients[one.client_id].append(row)
    for client, rows in clients.items():
        if _live_alone(series, rows):
            _name(key, rows, ("client", client))
            continue
        of_host = defaultdict(list)
        for row in rows:
            of_host[identity[row].host].append(row)
        for host, some in of_host.items():
            if host is not None and _live_alone(series, some):
                _name(key, some, ("host", client, host))
    number: dict[tuple, int] = {}
    return np.array([number.setdefault(one, len(number)) for one in key], dtype=np.int64)


def _name(key: list[tuple], rows: list[int], name: tuple) -> None:
    for row in rows:
        key[row] = name


def _live_alone(series: Series, rows: list[int]) -> bool:
    return len(rows) == 1 or bool((np.count_nonzero(series.is_member[:, rows], axis=1) <= 1).all())


def _last_members(series: Series, of_member: np.ndarray, count: int) -> list[int]:
    """Return the member of each lineage that was seen last."""
    last = _last_seen(series)
    found = np.zeros(count, dtype=np.int64)
    for row in np.lexsort((np.arange(last.size), last)).tolist():
        found[of_member[row]] = row
    return found.tolist()


def _last_seen(series: Series) -> np.ndarray:
    """Return the last slot that names each member, int64 (M,), -1 for none."""
    return np.where(series.is_member.any(axis=0), series.slot_count - 1 - np.argmax(series.is_member[::-1], axis=0), -1)


def _lives(series: Series, of_member: np.ndarray, count: int) -> tuple[tuple[Life, ...], ...]:
    first, last = np.argmax(series.is_member, axis=0), _last_seen(series)
    lives: list[list[Life]] = [[] for _ in range(count)]
    for row in np.argsort(first, kind="stable").tolist():
        if last[row] >= 0:
            lives[of_member[row]].append(Life(series.member_id[row], float(series.time[first[row]]), float(series.time[last[row]])))
    return tuple(map(tuple, lives))


def _restarts(series: Series, of_member: np.ndarray, is_member: np.ndarray, lead: int) -> tuple[Restarts, ...]:
    """Return the runs in which lineages left and came back, or came with another id, the longest first."""
    rows = np.flatnonzero(series.is_there)
    if rows.size < 2:
        return ()
    # The member that each lineage is at each slot; one more than its row, 0 where it is not there.
    now = np.zeros((rows.size, is_member.shape[0]), dtype=np.int64)
    place, member = np.nonzero(series.is_member[rows])
    now[place, of_member[member]] = member + 1
    found = []
    for lineage in range(is_member.shape[0]):
        seen = np.flatnonzero(now[:, lineage])
        again = np.flatnonzero((np.diff(now[seen, lineage]) != 0) | (np.diff(seen) > 1)) + 1
        at = rows[seen[again]]
        times = series.time[at[at >= lead]]
        runs = np.split(times, np.flatnonzero(np.diff(times) > RUN_SECONDS) + 1)
        found += [Restarts(lineage, tuple(run.tolist())) for run in runs]
    return sorted_runs(found)
