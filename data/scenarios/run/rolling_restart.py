"""A rolling restart: every member restarts once, a few members at a time.

This module has the steps and the total cost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.rounds.switch import Kind, kind_of
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import SEED, EditPlace, Field, Form
from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.edits.set_instance_id import SetInstanceId
from evenkeel.data.scenarios.run.group_step import AskedOfGroup, StepAnswer, own_assignor
from evenkeel.data.scenarios.run.walk import walk
from evenkeel.data.scenarios.scenario.scenario import Settings, Step


class Order(StrEnum):
    """The order in which members restart: as in the group, host by host, or rack by rack."""

    GROUP = "group"
    HOST = "host"
    RACK = "rack"


@dataclass(frozen=True)
class Times:
    """Durations on which the length of a pause depends.

    Parameters
    ----------
    downtime_seconds : float
        Time from a member's departure to its return.
    heartbeat_seconds : float
        `heartbeat.interval.ms`: the time until every member knows of a rebalance, and the pause of
        each revoked partition.
    broker_heartbeat_seconds : float
        `group.consumer.heartbeat.interval.ms`: the same in a KIP-848 group, for one round.
    session_timeout_seconds : float
        `session.timeout.ms`: if a static member is absent for longer, the group rebalances.
    """

    downtime_seconds: float = 8.0
    heartbeat_seconds: float = 3.0
    broker_heartbeat_seconds: float = 5.0
    session_timeout_seconds: float = 45.0


@dataclass(frozen=True)
class Cost:
    """The cost of a rolling restart with one assignor; unknown figures are None.

    `rebalances`: in a KIP-848 group, number of new target assignments. `partition_seconds`: time
    without an owner, summed over partitions. `max_lag`: highest lag of a member in any step.
    `returns`: whether each partition has its first owner again at the end. `records`: records
    written to partitions during the time without an owner.
    """

    assignor: str
    is_static: bool
    rebalances: int | None
    moved_partitions: int | None
    paused_partitions: int | None
    partition_seconds: float | None
    max_lag: int | None
    returns: bool | None
    records: float | None = None


ROLLING = "rolling_restart"
ROLLING_FORM = Form(
    0,
    "Rolling restart",
    "cached",
    (
        Field(
            "order",
            "Restart order",
            "choice",
            options=(("group", "the group"), ("host", "hosts"), ("rack", "racks")),
        ),
        Field("at_once", "Members at once", "whole", 1, least=1),
        Field("all_static", "Make all members static first (KIP-345)", "yes"),
        SEED,
    ),
)
"""The form that adds a rolling restart: a step for each restart."""


def rolling_restart(
    group: ObservedGroup, order: Order = Order.GROUP, at_once: int = 1, seed: int = 0
) -> list[Step]:
    """Return the steps of a rolling restart; in each step `at_once` members restart."""
    members = _in_order(group, order)
    batches = [members[start : start + at_once] for start in range(0, len(members), at_once)]
    return [
        Step(
            name=f"restart {number} of {len(batches)}",
            edits=[RestartMembers(member_ids=batch, seed=seed)],
        )
        for number, batch in enumerate(batches, 1)
    ]


def _in_order(group: ObservedGroup, order: Order) -> list[str]:
    snapshot = group.snapshot
    racks = ["" if rack == NO_RACK else snapshot.rack_name[rack] for rack in snapshot.member_rack]
    keys = {
        Order.GROUP: [""] * snapshot.member_count,
        Order.HOST: [host or "" for host in group.host],
        Order.RACK: racks,
    }[order]
    return [
        snapshot.member_id[row]
        for row in sorted(range(snapshot.member_count), key=keys.__getitem__)
    ]


def making_static(group: ObservedGroup) -> list[SetInstanceId]:
    """Return edits that make every member static; a new instance id is the member id."""
    members = zip(group.snapshot.member_id, group.snapshot.instance_id, strict=True)
    return [
        SetInstanceId(member_id=member_id, instance_id=member_id)
        for member_id, instance in members
        if instance is None
    ]


def all_static(group: ObservedGroup) -> ObservedGroup:
    """Return the group after every member became static."""
    for place, edit in enumerate(making_static(group)):
        group = edit.apply(group, EditPlace(0, place))
    return group


def restarted(
    group: ObservedGroup, steps: Sequence[Step], assignor: Assignor
) -> Iterator[StepAnswer]:
    """Yield the answer to each step of a rolling restart; stop if Kafka's class throws."""
    for answer in walk(AskedOfGroup(assignor), group, steps):
        yield answer
        if answer.error:
            return


def cost(
    group: ObservedGroup,
    steps: Sequence[Step],
    assignor: Assignor,
    times: Times = Times(),
    in_rate: np.ndarray | None = None,
) -> Cost:
    """Return the cost of a rolling restart.

    Static members cause no rebalance if they return within the session timeout. `in_rate`:
    records/s written to each partition, float64 (P,), NaN or None if unknown.
    """
    answers = list(restarted(group, steps, assignor))
    is_static = bool(group.snapshot.instance_id) and None not in group.snapshot.instance_id
    if not answers or answers[-1].error:
        return unknown_cost(assignor.name, is_static=is_static)
    rebalances = [each for answer in answers for each in answer.rebalances if each.at_rest]
    paused = [None if each.paused is None else each.paused.size for each in rebalances]
    pause = _pause(assignor, times)
    waits = [each.paused for each in rebalances if each.paused is not None]
    away = (
        [_held(answer.start, step) for answer, step in zip(answers, steps, strict=True)]
        if is_static
        else []
    )
    total = _total(paused)
    seconds = (
        None
        if total is None
        else total * pause + sum(tps.size for tps in away) * times.downtime_seconds
    )
    lags = [each.balance.max_lag for answer in answers for each in answer.rebalances]
    return Cost(
        assignor.name,
        is_static,
        _rebalance_count(rebalances, assignor),
        _total([answer.moved_partitions for answer in answers]),
        total,
        seconds,
        None if None in lags else max(lags),
        _returns(group, answers),
        None
        if seconds is None or in_rate is None
        else _records(in_rate, waits, pause) + _records(in_rate, away, times.downtime_seconds),
    )


def unknown_cost(name: str, *, is_static: bool) -> Cost:
    """Return a cost in which all figures are unknown."""
    return Cost(name, is_static, None, None, None, None, None, None)


def both_costs(
    group: ObservedGroup,
    assignor: Assignor,
    order: Order,
    at_once: int,
    times: Times,
    in_rate: np.ndarray | None,
) -> tuple[Cost, Cost]:
    """Return the cost with the members as they are, and the cost with all members static."""
    now, static = (
        cost(each, rolling_restart(each, order, at_once), assignor, times, in_rate)
        for each in (group, all_static(group))
    )
    return now, static


def own_costs(group: ObservedGroup, name: str, settings: Settings, *how: Any) -> tuple[Cost, Cost]:
    """Return `both_costs` for one of Evenkeel's own assignors; `how`: its other arguments."""
    return both_costs(group, own_assignor(name, group, settings), *how)


def _records(in_rate: np.ndarray, waits: Sequence[np.ndarray], seconds: float) -> float:
    """Return the number of records written to waiting partitions; NaN if a rate is unknown.

    `waits`: arrays of partitions that wait `seconds`.
    """
    return float(sum(in_rate[tps].sum() for tps in waits)) * seconds


def _pause(assignor: Assignor, times: Times) -> float:
    return (
        times.broker_heartbeat_seconds
        if kind_of(assignor) == Kind.RECONCILED
        else times.heartbeat_seconds
    )


def _rebalance_count(rebalances: list, assignor: Assignor) -> int | None:
    if kind_of(assignor) in (Kind.RECONCILED, Kind.SHARED):
        return len(rebalances)
    return _total([each.at_rest.round_count for each in rebalances])


def _held(start: ObservedGroup | None, step: Step) -> np.ndarray:
    """Return the partitions that nobody reads while the members restart, int64 (N,)."""
    if start is None or start.current is None:
        return np.empty(0, dtype=np.int64)
    chosen = set(step.edits[0].member_ids)
    rows = [row for row, member_id in enumerate(start.snapshot.member_id) if member_id in chosen]
    return np.flatnonzero(np.isin(start.current.owner, rows))


def _total(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _returns(group: ObservedGroup, answers: Sequence[StepAnswer]) -> bool | None:
    """Return whether every partition has its first owner again after the last step.

    A restarted member counts as the same member. None if the owners are unknown.
    """
    if group.current is None:
        return None
    renamed = {old: new for answer in answers for old, new in answer.renamed}
    first = StepAnswer("", group, answers[-1].rebalances, tuple(renamed.items()))
    return first.moves is not None and not first.moves.topic.size
