"""Replays a chain of rebalances with other settings, as the page What-if does.

for row in replayed(events, 3, 9):
    print(row.name, row.rebalances, row.moves)
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group.snapshot import topic_and_number
from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.building import group_document
from evenkeel.data.rebalances.by_cause import Setting, settings_for
from evenkeel.data.rebalances.chains import SESSION_MS, Absence, absences, covered, owners_before
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.words import late_words
from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.run.group_step import own_assignor
from evenkeel.data.scenarios.run.rolling_restart import Cost, Times, all_static, cost
from evenkeel.data.scenarios.scenario.scenario import Settings, Step

AS_IT_WAS, STATIC, CONSUMER_PROTOCOL = "as it was", "static members", "consumer protocol"
_UNIFORM = "uniform"
_MOST_MEMBERS = 1_000
_PLACEHOLDER = "partitions"


class ChainReplay(NamedTuple):
    """A chain replayed with one setting. Unknown numbers are None.

    `note`: the setting, or its assumption. `paused`: partition-seconds. `seconds`: total length of
    the rebalances. `is_partial`: `seconds` leaves out rebalances of unknown length. `is_better`:
    fewer rebalances than in the real chain. `is_assumed`: the result depends on a timeout that no
    record has, so Kafka's default was used.
    """

    name: str
    note: str
    rebalances: int
    moves: int | None = None
    paused: float | None = None
    is_better: bool = False
    is_assumed: bool = False
    seconds: float | None = None
    is_partial: bool = False


def replayed(
    every: Sequence[Rebalance], first: int = 0, last: int | None = None
) -> list[ChainReplay]:
    """Return a row for the rebalances as they were, and a row for each replay with another setting.

    The settings are static members, the consumer protocol, and each setting that would have avoided
    rebalances. `first`, `last`: indices of the first and the last replayed rebalance; if `last` is
    None, the replay ends with the last rebalance. Earlier rebalances give only the owners.
    """
    events = list(every[first : None if last is None else last + 1])
    settings, owned = settings_for(events), owners_before(every, first)
    was = ChainReplay(AS_IT_WAS, "", len(events), _moves(events), **_pause(events))
    back = _restarts(events)
    group = (
        _group_before(events[0], owned or {}, back)
        if back and len(_members(owned or {}, back)) <= _MOST_MEMBERS
        else None
    )
    has_owners = bool(owned)
    static = _static(events, back, group, was, has_owners)
    rows = [was, *([static] if static else [])]
    if events[0].protocol == CLASSIC:
        rows.append(_consumer(events, back, group, was, has_owners))
    return rows + [
        _longer(events, setting, was)
        for kind, setting in settings.items()
        if setting.name.endswith(".ms")
    ]


def replayed_chain(events: Sequence[Rebalance], linked: Sequence[Rebalance]) -> list[ChainReplay]:
    """Return `replayed` for the chain `linked`; `events`: all rebalances of the group."""
    first = next(place for place, event in enumerate(events) if event is linked[0])
    return replayed(events, first, first + len(linked) - 1)


def _restarts(events: Sequence[Rebalance]) -> list[Absence]:
    """Return the absences of members that joined again within the session timeout.

    Such an absence of a static member causes no rebalance.
    """
    session = max((event.session_timeout_ms or 0 for event in events), default=0) or SESSION_MS
    return [
        absence
        for absence in absences(events)
        if absence.away_ms < session and absence.cause == "member_left"
    ]


def _static(
    events: Sequence[Rebalance],
    back: Sequence[Absence],
    group: ObservedGroup | None,
    was: ChainReplay,
    has_owners: bool,
) -> ChainReplay | None:
    """Replay the restarts with static members; None if no replay is possible."""
    assumed = not any(event.session_timeout_ms for event in events)
    if not back:
        return was._replace(name=STATIC, note="group.instance.id")
    result = None if group is None else _cost(all_static(group), _keys(back), events)
    if result is None or result.rebalances is None:
        return None
    rest = len(events) - len(covered(events, back))
    number = rest + result.rebalances
    moves = result.moved_partitions if has_owners and not rest else None
    return ChainReplay(
        STATIC,
        "group.instance.id",
        number,
        moves,
        0.0 if has_owners and not number else None,
        number < was.rebalances,
        assumed,
        None if number else 0.0,
    )


def _consumer(
    events: Sequence[Rebalance],
    back: Sequence[Absence],
    group: ObservedGroup | None,
    was: ChainReplay,
    has_owners: bool,
) -> ChainReplay:
    """Replay the restarts with the consumer protocol, in which only moved partitions pause."""
    row = was._replace(
        name=CONSUMER_PROTOCOL,
        note="KIP-848",
        moves=None,
        paused=None,
        seconds=None,
        is_partial=False,
    )
    if group is None or not has_owners or len(covered(events, back)) < len(events):
        return row
    result = _cost(group, _keys(back), events, _UNIFORM)
    if result is None or result.rebalances is None:
        return row
    return row._replace(moves=result.moved_partitions, paused=result.partition_seconds)


def _longer(events: Sequence[Rebalance], setting: Setting, was: ChainReplay) -> ChainReplay:
    left = len(events) - len(setting.avoids)
    name = f"{setting.name.removesuffix('.ms').replace('.', ' ')} {int(setting.value) // 1000} s"
    rest = [event for place, event in enumerate(events) if place not in setting.avoids]
    better, assumed = left < was.rebalances, setting.is_assumed
    return ChainReplay(
        name,
        _silence(setting),
        left,
        _moves(rest),
        is_better=better,
        is_assumed=assumed,
        **_pause(rest),
    )


def _silence(setting: Setting) -> str:
    if setting.silences is None:
        return late_words(*setting.late or (0, 0))
    low, high = (round(silence / 1000) for silence in setting.silences)
    return f"silences were {low} to {high} s" if low != high else f"the silence was {low} s"


def _moves(events: Sequence[Rebalance]) -> int | None:
    counts = [None if event.moved is None else len(event.moved) for event in events]
    return None if None in counts else sum(count for count in counts if count is not None)


def _pause(events: Sequence[Rebalance]) -> dict[str, Any]:
    """Return the values of `paused`, `seconds` and `is_partial` of a `ChainReplay`."""
    paused = [event.paused for event in events]
    lengths = [event.duration_ms for event in events if event.duration_ms is not None]
    return {
        "paused": None if None in paused else sum(count for count in paused if count is not None),
        "seconds": sum(lengths) / 1000 if lengths or not events else None,
        "is_partial": len(lengths) < len(events),
    }


# The group before the chain, and one step for each restart.


def _keys(back: Sequence[Absence]) -> list[str]:
    return [absence.key for absence in back]


def _cost(
    group: ObservedGroup,
    restarts: Sequence[str],
    events: Sequence[Rebalance],
    name: str | None = None,
) -> Cost | None:
    usual = _UNIFORM if events[0].protocol == CONSUMER else "range"
    wanted = name or next(
        (event.assignor for event in events if event.assignor in ASSIGNORS), usual
    )
    ids, steps = {member: member for member in group.snapshot.member_id}, []
    try:
        for number, key in enumerate(restarts):
            edit = RestartMembers(member_ids=[ids.get(key, key)], seed=number)
            steps.append(Step(edits=[edit]))
        return cost(group, _once(steps), own_assignor(wanted, group, Settings()), Times())
    except SnapshotError:
        return None


def _once(steps: Sequence[Step]) -> list[Step]:
    """Return the first restart of each member, because a restarted member has a new id."""
    seen: set[str] = set()
    result = []
    for step in steps:
        (member,) = step.edits[0].member_ids
        if member not in seen:
            result.append(step)
        seen.add(member)
    return result


def _members(owners: Mapping[str, str], back: Sequence[Absence]) -> list[str]:
    return list(dict.fromkeys([*sorted(set(owners.values())), *_keys(back)]))


def _group_before(
    first: Rebalance, owners: Mapping[str, str], back: Sequence[Absence]
) -> ObservedGroup:
    """Return the group before the chain.

    If the owners are unknown, each member owns one partition of a placeholder topic.
    """
    names = _members(owners, back)
    owned: dict[str, dict[str, list[int]]] = {}
    topics: dict[str, int] = {}
    for partition, owner in owners.items():
        topic, number = topic_and_number(partition)
        topics[topic] = max(topics.get(topic, 0), number + 1)
        owned.setdefault(owner, {}).setdefault(topic, []).append(number)
    if not topics:
        topics, owned = (
            {_PLACEHOLDER: len(names)},
            {name: {_PLACEHOLDER: [place]} for place, name in enumerate(names)},
        )
    document = group_document(
        topics,
        {name: list(topics) for name in names},
        owned,
        group_id=first.group,
        type=first.protocol,
    )
    return observed_from_document(document)
