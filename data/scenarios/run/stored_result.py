"""A result read from stored lines; no assignor runs.

A share shows the stored result next to today's result, or alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, NONE_EMPTY
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.group.owned import held_rows, owners_of
from evenkeel.data.group.columns import observed_from_document, succession
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import claims
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.run.group_step import STEP_0, Rebalance, StepAnswer
from evenkeel.data.scenarios.run.results import GroupResult
from evenkeel.data.scenarios.run.step_drains import Drained, drain_of
from evenkeel.data.scenarios.run.walk import Result, line_of
from evenkeel.data.scenarios.scenario.scenario import Scenario, Step

Line = Mapping[str, Any]

_SAME = ("assignment", "total_lag", "max_lag")
"""Values of a line on which the time to drain depends. It also depends on the history."""


@dataclass(frozen=True, eq=False)
class StoredAnswer(StepAnswer):
    """The stored answer of one assignor to one step.

    Moves, pauses and rounds are read from the stored line, not computed.
    """

    stored: Line = field(kw_only=True)

    @property
    def moved_partitions(self) -> int | None:
        return self.stored["moved_partitions"]

    @property
    def moved_lag(self) -> int | None:
        return self.stored["moved_lag"]

    @property
    def paused_partitions(self) -> int | None:
        return self.stored["paused_partitions"]

    @property
    def moved_lag_is_partial(self) -> bool:
        return self.stored["moved_lag_is_least"]

    @property
    def rebalance_count(self) -> int:
        return self.stored["rebalances"]

    @property
    def rounds(self) -> int | None:
        return self.stored["rounds"]

    @property
    def never_ends(self) -> bool | None:
        return self.stored["never_ends"]


def stored_result(scenario: Scenario, lines: Sequence[Line]) -> GroupResult:
    """Return the result that the lines of a replay contain.

    The first line, which contains the hashes, may be missing. Member ids are read from each line,
    because a redacted share replaces the ids of members that an edit added.
    """
    listed = observed_from_document(scenario.group)
    by_step = lines_by_step(lines)
    names = list(by_step.get(0, {}))
    steps: list[dict[str, StepAnswer]] = []
    groups = dict.fromkeys(names, listed)
    for number, step in enumerate([STEP_0, *scenario.steps]):
        answers: dict[str, StepAnswer] = {
            name: _answer(groups[name], step, number, by_step[number][name]) for name in names
        }
        if number:
            groups = {name: answer.group or groups[name] for name, answer in answers.items()}
        steps.append(answers)
    return Result(scenario, listed, tuple(steps), drains_in(by_step))


def _answer(start: ObservedGroup, step: Step, number: int, line: Line) -> StoredAnswer:
    if line["error"]:
        return StoredAnswer(
            line["assignor"],
            error=AssignorError(line["error"]["type"], line["error"]["message"]),
            stored=line,
        )
    joined = start
    for place, edit in step.edits_on:
        joined = edit.apply(joined, EditPlace(max(number - 1, 0), place))
    rests = _with_members(joined, line["assignment"])
    wide, owned = succession(start, rests)
    lag = page_lag(rests.snapshot)
    final_round = Rebalance(
        rests,
        rests,
        wide,
        owned,
        lag,
        None,
        None,
        None,
        balance(rests.snapshot, rests.current, lag),
    )
    return StoredAnswer(line["assignor"], start, (final_round,), stored=line)


def _with_members(
    group: ObservedGroup, held: Mapping[str, Mapping[str, Sequence[int]]]
) -> ObservedGroup:
    """Return the group with the members and owners that a line names.

    `held`: partitions by member and topic. Other facts about new members are unknown.
    """
    snapshot, count = group.snapshot, len(held)
    row = {name: number for number, name in enumerate(snapshot.topic_name)}
    clients, hosts = (
        dict(zip(snapshot.member_id, values, strict=True))
        for values in (group.client_id, group.host)
    )
    instances = dict(zip(snapshot.member_id, snapshot.instance_id, strict=True))
    current: Assignment = owners_of(claims(held.values(), row), snapshot.partition_count)
    members = replace(
        snapshot,
        member_id=tuple(held),
        instance_id=tuple(instances.get(member_id) for member_id in held),
        member_rack=np.full(count, NO_RACK, dtype=np.int32),
        has_empty_rack=None,
        generation=np.full(count, NO_GENERATION, dtype=np.int32),
        topic_lists=(np.empty(0, dtype=np.int32),),
        subscription=np.zeros(count, dtype=np.int32),
        claim_member=(empty := np.empty(0, dtype=np.int32)),
        claim_topic=empty,
        claim_partition=empty,
        owned_empty=NONE_EMPTY,
        named=None,
        expression=(),
    )
    member, topic, partition = np.ascontiguousarray(held_rows(members, current).T)
    return replace(
        group,
        snapshot=replace(
            members, claim_member=member, claim_topic=topic, claim_partition=partition
        ),
        current=current,
        client_id=tuple(clients.get(member_id) for member_id in held),
        host=tuple(hosts.get(member_id) for member_id in held),
        epoch=np.full(count, -1, dtype=np.int64),
        subscribed_regex=(),
        joined_with=(),
        protocol=(),
        assignment_user_data=None,
    )


def lines_by_step(lines: Sequence[Line]) -> dict[int, dict[str, Line]]:
    """Return the lines of a replay by step and assignor; the first line is left out."""
    by_step: dict[int, dict[str, Line]] = {}
    for line in lines:
        if "step" in line:
            by_step.setdefault(line["step"], {})[line["assignor"]] = line
    return by_step


def drains_in(by_step: Mapping[int, Mapping[str, Line]]) -> Drained:
    """Return the times to drain that the lines contain; empty if no line has one."""
    if not any(line.get("drain") for lines in by_step.values() for line in lines.values()):
        return ()
    return [
        {
            name: drain_of(line["drain"])
            for name, line in by_step[number].items()
            if line.get("drain")
        }
        for number in sorted(by_step)
    ]


def with_stored_drains(result: GroupResult, lines: Sequence[Line]) -> GroupResult:
    """Return the result with the times to drain from stored lines.

    If an answer differs from its stored line, the answer gets no time to drain.
    """
    by_step = lines_by_step(lines)
    kept_drains = [
        {
            name: drain_of_name
            for name, drain_of_name in drains_of_step.items()
            if _is_same(number, answers.get(name), by_step[number][name])
        }
        for number, (drains_of_step, answers) in enumerate(
            zip(drains_in(by_step), result.steps, strict=False)
        )
    ]
    return replace(result, drains=kept_drains)


def _is_same(number: int, answer: StepAnswer | None, line: Line) -> bool:
    if answer is None:
        return False
    now = line_of(number, line["name"], answer)
    return all(now[key] == line[key] for key in _SAME)
