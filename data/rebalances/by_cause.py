"""Rebalances by cause: count, length, members, and a setting that would have avoided rebalances.

rows = by_cause(events)
rows[0].kind, rows[0].count, rows[0].saves
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evenkeel.data.rebalances.chains import (
    SESSION_MS,
    USUAL_MS,
    WENT,
    Absence,
    absences,
    chains,
    covered,
    is_rolling_restart,
    verdicts,
)
from evenkeel.data.rebalances.event import Member, Rebalance, Trigger, by_group, in_order

RESTARTED = "restarted"
"""The cause that pages show for a restart of several members, in place of the cause of each single
rebalance.
"""

_LONGEST_SESSION_MS, _LONGEST_POLL_MS = 300_000, 1_800_000
_SESSION_STEP_MS, _POLL_STEP_MS = 15_000, 60_000


class Setting(NamedTuple):
    """A setting that would have avoided some rebalances of a group.

    `value`: the recommended value. `avoids`: indices of the avoided rebalances. `late`: shortest
    and longest time between a member's timeout and its next join. `silences`: shortest and longest
    time without a sign of the member, None if it is unknown. `assumed_ms`: Kafka's default of the
    timeout if no record has the timeout, else None.
    """

    name: str
    value: int | str
    avoids: frozenset[int]
    silences: tuple[int, int] | None = None
    assumed_ms: int | None = None
    late: tuple[int, int] | None = None

    @property
    def is_assumed(self) -> bool:
        """Whether `value` is computed from Kafka's default, because no record has the timeout."""
        return self.assumed_ms is not None


@dataclass
class CauseRow:
    """The rebalances of one cause.

    `seconds`: total length of the rebalances. `paused`: total partition-seconds. `seconds`,
    `paused` and `longest_ms` leave out unknown values, and are None if all values are unknown.
    `untimed`: number of rebalances of unknown length. `unpaused`: number of rebalances with unknown
    partition-seconds. `saves`: a setting that would have avoided some of the rebalances. `within`:
    indices of rebalances in which this cause is a later trigger; empty if any rebalance begins with
    this cause. `verdict`: the verdict of a chain, if half of the rebalances or more are in chains
    with a verdict.
    """

    kind: str
    places: list[int] = field(default_factory=list)
    seconds: float | None = None
    paused: float | None = None
    longest_ms: int | None = None
    worst: tuple[str, int] | None = None
    member_count: int = 0
    last: int | None = None
    saves: Setting | None = None
    is_counted_above: bool = False
    ambiguous: int = 0
    untimed: int = 0
    unpaused: int = 0
    within: list[int] = field(default_factory=list)
    verdict: str | None = None

    @property
    def count(self) -> int:
        """Number of rebalances with this cause."""
        return len(self.places)

    @property
    def left_of(self) -> tuple[int, int]:
        """Number of rebalances if the setting in `saves` is used, and if it is not used.

        Both numbers count rebalances of this cause. The second number also counts rebalances of
        other causes that the setting would have avoided. If `saves` is None, the numbers are equal.
        """
        avoids = self.saves.avoids if self.saves else frozenset()
        return len(set(self.places) - avoids), len(avoids | set(self.places))


def kinds(events: Sequence[Rebalance]) -> list[str]:
    """Return the cause of each rebalance as pages show it.

    `restarted`: at least two members of the chain left and came back, and the first trigger of the
    rebalance is the departure or return of such a member.
    """
    within: set[int] = set()
    several = list(chains(events).values())
    in_chains = {id(event) for linked in several for event in linked}
    for linked in [*several, *([event] for event in events if id(event) not in in_chains)]:
        if is_rolling_restart(linked):
            pairs = set().union(
                *(absence.pairs for absence in absences(linked) if absence.cause == "member_left")
            )
            within |= {
                id(event) for place, event in enumerate(linked) if _begins_with(event, place, pairs)
            }
    return [RESTARTED if id(event) in within else event.cause for event in events]


def _begins_with(event: Rebalance, place: int, pairs: set[tuple[int, str]]) -> bool:
    first = next(iter(event.triggers), None)
    return first is not None and first.member is not None and (place, first.member.key) in pairs


# Settings, and the rebalances that each setting would have avoided.


def settings_for(events: Sequence[Rebalance]) -> dict[str, Setting]:
    """Return the recommended setting by cause. Causes without such a setting are left out.

    `events`: rebalances of one group, in order of time.
    """
    away, causes = absences(events), kinds(events)
    session = max((event.session_timeout_ms or 0 for event in events), default=0) or SESSION_MS
    settings = {
        # A member that returns within its session is a restart, even if it is the only one.
        **{
            kind: _static(
                events,
                [
                    absence
                    for absence in away
                    if causes[absence.gone] == kind
                    and absence.cause == "member_left"
                    and absence.away_ms < session
                ],
            )
            for kind in (RESTARTED, "member_left")
        },
        "session_timeout": _longer(
            events,
            away,
            "session_timeout",
            "session.timeout.ms",
            _SESSION_STEP_MS,
            _LONGEST_SESSION_MS,
        ),
        "poll_timeout": _longer(
            events, away, "poll_timeout", "max.poll.interval.ms", _POLL_STEP_MS, _LONGEST_POLL_MS
        ),
    }
    return {
        kind: setting
        for kind, setting in settings.items()
        if setting is not None and setting.avoids
    }


def _static(events: Sequence[Rebalance], away: Sequence[Absence]) -> Setting | None:
    avoided = covered(events, away)
    named = [absence.key for absence in away if absence.key == absence.back_key]
    return Setting("group.instance.id", next(iter(named), ""), avoided) if avoided else None


def _longer(
    events: Sequence[Rebalance],
    away: Sequence[Absence],
    cause: str,
    name: str,
    step: int,
    most: int,
) -> Setting | None:
    meant = [absence for absence in away if absence.cause == cause and absence.silent_ms <= most]
    if not meant:
        return None
    longest, assumed = (
        max(absence.silent_ms for absence in meant),
        USUAL_MS[cause] if any(absence.is_assumed for absence in meant) else None,
    )
    silences = None if assumed else (min(absence.silent_ms for absence in meant), longest)
    late = min(absence.away_ms for absence in meant), max(absence.away_ms for absence in meant)
    return Setting(
        name,
        math.ceil((longest + 1) / step) * step,
        covered(events, meant),
        silences,
        assumed,
        late,
    )


def by_cause(events: Sequence[Rebalance]) -> list[CauseRow]:
    """Return one row for each cause, the cause with the most partition-seconds first.

    `events`: rebalances of one group, in order of time.
    """
    causes, saves = kinds(events), settings_for(events)
    begun = set(causes)
    rows = {kind: CauseRow(kind) for kind in dict.fromkeys([*causes, *saves])}
    members: dict[str, Counter] = {kind: Counter() for kind in rows}
    for place, (event, kind) in enumerate(zip(events, causes, strict=True)):
        _count(rows[kind], place, event)
        members[kind].update(
            {trigger.member.name for trigger in event.triggers[:1] if trigger.member}
        )
        for trigger in event.triggers[1:]:
            if trigger.cause in rows and trigger.cause not in begun:
                within = rows[trigger.cause].within
                within += [place] if within[-1:] != [place] else []
                members[trigger.cause].update({trigger.member.name} if trigger.member else ())
    above: set[int] = set()
    for row in sorted(rows.values(), key=_by_pause):
        row.worst = next(iter(members[row.kind].most_common(1)), None)
        row.member_count = len(set(members[row.kind]) | _restarted(row, events))
        row.saves = saves.get(row.kind)
        above |= row.saves.avoids if row.saves else frozenset()
    of_chain = verdicts(events)
    for row in rows.values():
        names = [events[place].chain or "" for place in row.places]
        of_row = [of_chain[name] for name in names if name in of_chain]
        row.verdict = of_row[0] if of_row and 2 * len(of_row) >= row.count else None
        row.saves = None if row.verdict else row.saves
        row.is_counted_above = (
            row.saves is None
            and set(row.places) & above != set()
            and 2 * len(set(row.places) & above) >= row.count
        )
    return sorted(rows.values(), key=_by_pause)


def _restarted(row: CauseRow, events: Sequence[Rebalance]) -> set[str]:
    """Return the names of members that left; empty if the cause of `row` is not a restart."""
    if row.kind != RESTARTED:
        return set()
    triggers = (trigger for place in row.places for trigger in events[place].triggers)
    return {each.member.name for each in triggers if each.member and each.cause == "member_left"}


def _count(row: CauseRow, place: int, event: Rebalance) -> None:
    row.places.append(place)
    row.untimed += event.duration_ms is None
    row.unpaused += event.paused is None
    if event.paused is not None:
        row.paused = (row.paused or 0.0) + event.paused
    if event.duration_ms is not None:
        row.seconds = (row.seconds or 0.0) + event.duration_ms / 1000
        row.longest_ms = max(row.longest_ms or 0, event.duration_ms)
    row.last = event.time if row.last is None else max(row.last, event.time or 0)
    row.ambiguous += bool(event.alternatives)


def _by_pause(row: CauseRow) -> tuple:
    return -(row.paused or 0.0), -(row.seconds or 0.0), -row.count, row.kind


# The worst members, and the worst causes.


@dataclass(frozen=True)
class Culprit:
    """A member that caused several rebalances.

    `went`: number of rebalances that the member caused when it left. `came`: number of rebalances
    that the member caused when it joined. `first`: time of the first rebalance that it caused.
    """

    name: str
    count: int
    went: int
    came: int
    cause: str
    first: int | None


def most_blamed(events: Sequence[Rebalance]) -> Culprit | None:
    """Return the member whose joins and departures caused most rebalances; restarts do not count.

    None if that member caused fewer than three rebalances, or left fewer than two times.
    """
    by_name: dict[str, list[tuple[Rebalance, Trigger]]] = {}
    for event, kind in zip(events, kinds(events), strict=True):
        trigger = event.triggers[0] if event.triggers else None
        if kind == RESTARTED or trigger is None or not trigger.member:
            continue
        if trigger.cause in ("member_joined", *WENT):
            by_name.setdefault(trigger.member.name, []).append((event, trigger))
    name = max(by_name, key=lambda name: len(by_name[name]), default="")
    mine = by_name.get(name, [])
    count = len(mine)
    went = [trigger for _, trigger in mine if trigger.cause in WENT]
    if count < 3 or len(went) < 2:
        return None
    cause = Counter(trigger.cause for trigger in went).most_common(1)[0][0]
    return Culprit(
        name,
        count,
        len(went),
        count - len(went),
        cause,
        min((event.time for event, _ in mine if event.time is not None), default=None),
    )


def slowest_member(events: Sequence[Rebalance]) -> tuple[Member, int] | None:
    """Return the member that was the slowest in most rebalances, and the number of these
    rebalances.
    """
    waited = Counter(event.slowest[0].name for event in events if event.slowest)
    name, count = next(iter(waited.most_common(1)), ("", 0))
    member = next(
        (event.slowest[0] for event in events if event.slowest and event.slowest[0].name == name),
        None,
    )
    return (member, count) if member is not None else None


def worst_by_group(events: Iterable[Rebalance], since: int) -> dict[str, tuple[int, str]]:
    """Return by group: the number of rebalances at or after the time `since`, and the worst cause.

    The worst cause has the most partition-seconds. Groups without these rebalances are left out.
    """
    worst = {}
    for name, ordered in by_group(events).items():
        recent = [
            event for event in in_order(ordered) if event.time is not None and event.time >= since
        ]
        if recent:
            worst[name] = len(recent), by_cause(recent)[0].kind
    return worst
