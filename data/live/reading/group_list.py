"""All groups of a live cluster, largest lag first: type, state, members, lag."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.lag import UNKNOWN_LAG, committed_lag, total_lag
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.data.errors import NoGroupError, SnapshotError
from evenkeel.data.group.document import DEAD, EMPTY, STABLE, Leader
from evenkeel.data.group.tables import schemas
from evenkeel.data.live.connection import NO_GROUP, Connection, error_word
from evenkeel.data.live.reading.described import answers
from evenkeel.data.live.reading.offsets import (
    Ends,
    GroupOffsets,
    Place,
    ends,
    nothing_visible,
    progress,
)
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.live.wire.consumer_protocol import assignment
from evenkeel.data.live.wire.leader import told_by
from evenkeel.data.live.wire.raw_groups import GroupListing


class _Head(NamedTuple):
    """A group's state and members, without offsets."""

    state: str
    assignor: str | None = None
    member_count: int | None = None
    idle_members: int | None = None
    assigned: frozenset[Place] = frozenset()
    problem: str | None = None
    leader: Leader | None = None
    members: tuple[str, ...] = ()


def group_list(connection: Connection) -> pa.Table:
    """Return GROUPS, ordered by lag, then by the largest lag of a partition, then by name. Unknown
    lag comes last.

    Raises
    ------
    SnapshotError
        If the cluster does not answer, or refuses.
    """
    listed = connection.ask(connection.raw.listed)
    heads = {group_id: _head(answer) for group_id, answer in answers(connection, listed).items()}
    commits = progress(connection, listed)
    places = {
        place
        for listed_group in listed
        for place in _places(heads[listed_group.group_id], commits[listed_group.group_id])
    }
    seen, hidden = topics(connection, {topic for topic, _ in places})
    end_offsets = ends(connection, places, seen)
    end_offsets.problems.update({place: hidden[place[0]] for place in places if place[0] in hidden})
    rows = [
        _row(
            listed_group, heads[listed_group.group_id], commits[listed_group.group_id], end_offsets
        )
        for listed_group in listed
    ]
    table = pa.Table.from_pylist(rows, schema=schemas.GROUPS)
    return table.sort_by(
        [("lag", "descending"), ("max_lag", "descending"), ("group_id", "ascending")]
    )


def _head(answer: Any) -> _Head:
    if answer.error_code or answer.group_state == DEAD:
        return _Head("", problem=error_word(answer.error_code) if answer.error_code else NO_GROUP)
    assignor = (
        getattr(answer, "assignor_name", None) or getattr(answer, "protocol_data", None) or None
    )
    try:
        assigned = [_assigned(member) for member in answer.members]
    except SnapshotError as error:
        return _Head(answer.group_state, assignor, len(answer.members), problem=str(error))
    held = frozenset(chain.from_iterable(assigned))
    idle, leader, named = _idle(answer, assigned), _leader(answer), _named(answer)
    return _Head(
        answer.group_state, assignor, len(answer.members), idle, held, leader=leader, members=named
    )


def _named(answer: Any) -> tuple[str, ...]:
    """Return ids, client ids and hosts of the members, for searches."""
    keys = ("member_id", "client_id", "client_host", "group_instance_id", "instance_id")
    names: dict[str, None] = {}
    for member in answer.members:
        values = [getattr(member, key, None) for key in keys]
        names |= dict.fromkeys(value for value in values if value)
    return tuple(names)


def _leader(answer: Any) -> Leader | None:
    """Return the client of a classic group's leader. None unless the state is Stable, because other
    states have no assignment.
    """
    is_told = hasattr(answer, "protocol_data") and answer.group_state == STABLE
    return told_by(answer.members, answer.protocol_data).leader if is_told else None


def _idle(answer: Any, assigned: Sequence[Sequence[Place]]) -> int | None:
    """Return the number of members without partitions. None if unknown: during a rebalance, and for
    a streams group, whose members have tasks.
    """
    is_known = answer.group_state in (STABLE, EMPTY) and not any(
        hasattr(getattr(member, "assignment", None), "active_tasks") for member in answer.members
    )
    return sum(not places for places in assigned) if is_known else None


def _assigned(member: Any) -> list[Place]:
    if hasattr(member, "member_assignment"):
        return [
            (topic, number)
            for topic, numbers in assignment(bytes(member.member_assignment)).items()
            for number in numbers
        ]
    topics = getattr(member.assignment, "topic_partitions", ())
    return [(topic.topic_name, number) for topic in topics for number in topic.partitions]


def _places(head: _Head, commits: GroupOffsets) -> frozenset[Place]:
    return head.assigned.union(commits.offsets, filter(None, commits.problems))


def _row(
    listed_group: GroupListing, head: _Head, commits: GroupOffsets, ends: Ends
) -> dict[str, Any]:
    places = list(_places(head, commits))
    lag = committed_lag(
        *(_column(places, known) for known in (ends.end, ends.begin, commits.offsets))
    )
    if commits.lags:
        lag = np.array(
            [
                commits.lags.get(place, computed)
                for place, computed in zip(places, lag.tolist(), strict=True)
            ],
            dtype=np.int64,
        )
    problem = (
        head.problem
        or _problem(places, commits, ends.problems)
        or nothing_visible(listed_group.group_type, head.state, commits)
    )
    is_hidden = bool(problem) and not places
    return {
        "group_id": listed_group.group_id,
        "group_type": listed_group.group_type,
        "state": head.state or listed_group.state or None,
        "assignor": head.assignor,
        "leader": head.leader and head.leader.client,
        "leader_certain": head.leader and head.leader.certain,
        "member_count": head.member_count,
        "idle_members": head.idle_members,
        "topic_count": None if is_hidden else len({topic for topic, _ in places}),
        "partition_count": None if is_hidden else len(places),
        "lag": total_lag(lag) if places else None,
        "max_lag": int(lag.max()) if (lag != UNKNOWN_LAG).any() else None,
        "worst_partition": _worst(places, lag),
        "unknown_lag_count": None if is_hidden else int((lag == UNKNOWN_LAG).sum()),
        "problem": problem,
        "names": "\n".join([*sorted({topic for topic, _ in places}), *head.members]),
    }


def _worst(places: Sequence[Place], lag: np.ndarray) -> str | None:
    """Return the partition with the largest lag; if lags are equal, the first by name. None if no
    known lag is above 0.
    """
    highest = lag.max(initial=0)
    return (
        partition_name(*min(places[row] for row in np.flatnonzero(lag == highest).tolist()))
        if highest > 0
        else None
    )


def _problem(
    places: Iterable[Place], commits: GroupOffsets, lost: Mapping[Place, str]
) -> str | None:
    if commits.problems:
        place, word = next(iter(commits.problems.items()))
        return word if place is None else f"{partition_name(*place)}: {word}"
    refused = sorted(lost.keys() & places) if lost else []
    return f"{partition_name(*refused[0])}: {lost[refused[0]]}" if refused else None


def _column(places: Iterable[Place], known: Mapping[Place, int | None]) -> np.ndarray:
    return np.array(
        [UNKNOWN if (value := known.get(place)) is None else value for place in places],
        dtype=np.int64,
    )


# Groups of a live cluster that the caller names.


def chosen_groups(connection: Connection, wanted: Sequence[str]) -> list[GroupListing]:
    """Return the named groups in the given order, or all groups if none is named.

    Raises
    ------
    SnapshotError
        If a named group is not visible, or no group is visible.
    """
    seen = {
        listed_group.group_id: listed_group
        for listed_group in connection.ask(connection.raw.listed)
    }
    if not seen:
        raise SnapshotError(none_visible(connection.profile.name))
    missing = [group_id for group_id in wanted if group_id not in seen]
    if missing:
        raise NoGroupError(connection.profile.name, missing[0], len(seen))
    return [seen[group_id] for group_id in dict.fromkeys(wanted)] if wanted else list(seen.values())


def none_visible(cluster: str) -> str:
    """Return the possible reasons why no group is visible. Kafka silently omits groups that the
    user may not see.
    """
    return (
        f"cluster {cluster}: no group is visible to this user. Either the cluster has no groups, or"
        " the right DESCRIBE on the cluster or on groups is missing, or the brokers have just"
        " started and have not loaded their groups yet"
    )


def left_out(connection: Connection) -> str | None:
    """Return a note if DESCRIBE on the cluster is missing, because groups may then be omitted. None
    if the user has this right.
    """
    if connection.sees_all_groups:
        return None
    name = connection.profile.name
    return (
        f"cluster {name}: groups that this user may not describe are left out, because the right"
        " DESCRIBE on the cluster is missing"
    )
