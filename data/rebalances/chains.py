"""Chains of rebalances, and members that left and came back during a chain.

In a chain, each rebalance begins shortly after the end of the previous rebalance.

link(events)
for name, linked in chains(events).items():
    is_rolling_restart(linked)
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from evenkeel.assignors.protocol import CONSUMER
from evenkeel.data.rebalances.event import UNNUMBERED, Member, Rebalance, Trigger, in_order

GAP_MS = 30_000
"""Longest time from the end of a rebalance to the next rebalance of the same chain."""

SESSION_MS = 45_000
USUAL_MS = {"session_timeout": SESSION_MS, "poll_timeout": 300_000}
"""Kafka's defaults of `session.timeout.ms` and `max.poll.interval.ms`, used if no record has the
timeout.
"""

WENT = ("member_left", "session_timeout", "poll_timeout")


def link(events: Sequence[Rebalance], gap_ms: int = GAP_MS) -> None:
    """Set the chain of each rebalance.

    A rebalance continues the chain of the group's previous rebalance if it begins at most `gap_ms`
    after the previous rebalance ended.
    """
    links = Links(gap_ms)
    for event in in_order(events):
        end = event.end if event.end is not None else event.time
        event.chain = links.next(
            event.group, event.generation, event.time, end, event.completed is False
        )


class _Before(NamedTuple):
    """The previous rebalance of a group.

    `life`: 1, plus 1 each time that the group was deleted and created again. `is_cut`: the
    rebalance was interrupted.
    """

    chain: str
    generation: int
    end: int | None
    life: int
    is_cut: bool


class Links:
    """Names the chains of rebalances. `next` takes the rebalances one by one, in order of time.

    A group that was deleted and created again repeats its generation numbers, so the names of its
    later chains end in `#2`, `#3` and so on. If a rebalance is interrupted and begins again with
    the same generation, both parts count as one rebalance.
    """

    def __init__(self, gap_ms: int):
        self._gap_ms = gap_ms
        self._before: dict[str, _Before] = {}

    def next(
        self, group: str, generation: int, begin: int | None, end: int | None, is_cut: bool = False
    ) -> str:
        """Return the name of the chain of the group's next rebalance.

        `begin`: start of the rebalance. `end`: end of the rebalance; the start if the end is
        unknown. `is_cut`: the rebalance was interrupted.
        """
        before = self._before.get(group)
        is_again = before is not None and before.is_cut and generation == before.generation
        life = (
            1
            if before is None
            else before.life + (generation <= before.generation and not is_again)
        )
        is_near = (
            before is not None
            and before.end is not None
            and begin is not None
            and begin - before.end <= self._gap_ms
        )
        chain = (
            before.chain
            if before and (is_again or is_near)
            else f"{group}@{_named(generation)}" + (f"#{life}" if life > 1 else "")
        )
        self._before[group] = _Before(chain, generation, end, life, is_cut)
        return chain


def _named(generation: int) -> str:
    return f"{generation}" if generation >= 0 else f"?{generation - UNNUMBERED}"


def chains(events: Iterable[Rebalance]) -> dict[str, list[Rebalance]]:
    """Return the rebalances of each chain that has at least two, in order of time."""
    by_chain: dict[str, list[Rebalance]] = {}
    for event in in_order(events):
        if event.chain is not None:
            by_chain.setdefault(event.chain, []).append(event)
    return {name: linked for name, linked in by_chain.items() if len(linked) > 1}


class Owners:
    """The owner of each partition of a group, updated from one rebalance to the next.

    The first owners come from a rebalance with known owners. Each later rebalance moves partitions.
    """

    def __init__(self) -> None:
        self._owners: dict[str, str] | None = None
        self._generation: int | None = None

    def before(self, event: Rebalance) -> dict[str, str] | None:
        """Return the owner of each partition before the given rebalance; None if unknown."""
        if event.owned is not None:
            return dict(event.owned)
        return (
            dict(self._owners)
            if self._owners is not None and event.generation_before == self._generation
            else None
        )

    def take(self, event: Rebalance) -> None:
        """Apply the moves of the given rebalance; an interrupted rebalance moves nothing."""
        if event.owned is not None:
            self._owners, self._generation = dict(event.owned), event.generation_before
        if event.completed is False and event.moved is None:
            return
        if event.moved is None or event.generation_before != self._generation:
            self._owners = None
        self._generation, owners = event.generation, self._owners
        if owners is None:
            return
        for partition, _, taker in event.moved or ():
            owners.pop(partition, None)
            if taker is not None:
                owners[partition] = taker


def owners_before(events: Sequence[Rebalance], place: int) -> dict[str, str] | None:
    """Return the owner of each partition of a group before `events[place]`; None if unknown."""
    owners = Owners()
    for event in events[:place]:
        owners.take(event)
    return owners.before(events[place])


def with_owners(events: Iterable[Rebalance]) -> Iterator[Rebalance]:
    """Yield rebalances (of any groups, in order of time), with `owned` filled if known."""
    groups: dict[str, Owners] = {}
    for event in events:
        owners = groups.setdefault(event.group, Owners())
        yield replace(event, owned=owners.before(event))
        owners.take(event)


def kept_since(events: Iterable[Rebalance], moment: int) -> list[Rebalance]:
    """Return the rebalances that began at `moment` or later, or at an unknown time.

    `events` are in order of time. In the first returned rebalance of each group, `owned` is filled,
    if the owners are known.
    """
    groups: dict[str, Owners] = {}
    result = []
    for event in events:
        if event.time is not None and event.time < moment:
            groups.setdefault(event.group, Owners()).take(event)
        else:
            owners = groups.pop(event.group, None)
            result.append(event if owners is None else replace(event, owned=owners.before(event)))
    return result


NEAR = 0.012
"""Share of the time axis. Rebalances with a smaller distance are drawn as one burst."""


def bursts(times: Sequence[float], near: float) -> list[list[int]]:
    """Return the indices of ascending `times` in bursts, which are more than `near` apart."""
    runs: list[list[int]] = []
    for place, at in enumerate(times):
        if runs and at - times[runs[-1][-1]] <= near:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


class Absence(NamedTuple):
    """A member that left and joined again.

    `gone`, `back`: indices of the rebalances in which the member left and joined again. `key`,
    `back_key`: `Member.key` in these rebalances. `away_ms`: time between leaving and joining.
    `silent_ms`: `away_ms` plus the timeout that removed the member. `is_assumed`: whether the
    timeout is Kafka's default.

    Logs of KIP-848 groups have no client ids. If a member without a name leaves, the next member
    without a name that joins counts as the same member.
    """

    gone: int
    back: int
    key: str
    back_key: str
    cause: str
    away_ms: int
    silent_ms: int
    is_assumed: bool

    @property
    def pairs(self) -> set[tuple[int, str]]:
        """The departure and the return, each as (index of the rebalance, `Member.key`)."""
        return {(self.gone, self.key), (self.back, self.back_key)}


def absences(events: Sequence[Rebalance]) -> list[Absence]:
    """Return each time that a member left and later joined again; `events`: one group, in order."""
    gone: dict[str, tuple[int, Trigger, Rebalance]] = {}
    all_absences = []
    for place, event in enumerate(events):
        for trigger in event.triggers:
            if trigger.member is None:
                continue
            if trigger.cause in WENT:
                gone[trigger.member.key] = place, trigger, event
            elif trigger.cause == "member_joined":
                key = (
                    trigger.member.key
                    if trigger.member.key in gone
                    else _unnamed(gone, trigger.member, event)
                )
                all_absences += (
                    [] if key is None else _absence(key, *gone.pop(key), place, trigger, event)
                )
    return all_absences


def _unnamed(
    gone: dict[str, tuple[int, Trigger, Rebalance]], member: Member, event: Rebalance
) -> str | None:
    """Return the key of the first departed member without a name, if `member` has none either."""
    if not _has_no_name(event, member):
        return None
    return next(
        (
            key
            for key, (_, went, before) in gone.items()
            if went.member and _has_no_name(before, went.member)
        ),
        None,
    )


def _has_no_name(event: Rebalance, member: Member) -> bool:
    return event.protocol == CONSUMER and member.client_id is None and member.instance_id is None


def _absence(
    key: str,
    gone: int,
    went: Trigger,
    before: Rebalance,
    back: int,
    came: Trigger,
    after: Rebalance,
) -> list[Absence]:
    begin, end = (
        went.at if went.at is not None else before.time,
        came.at if came.at is not None else after.time,
    )
    if begin is None or end is None or came.member is None:
        return []
    known = (
        before.session_timeout_ms
        if went.cause == "session_timeout"
        else before.rebalance_timeout_ms
    )
    usual = USUAL_MS.get(went.cause, 0)
    timeout = (known or usual) if usual else 0
    away = max(end - begin, 0)
    return [
        Absence(
            gone,
            back,
            key,
            came.member.key,
            went.cause,
            away,
            away + timeout,
            usual > 0 and known is None,
        )
    ]


def went_at_last(event: Rebalance) -> Trigger | None:
    """Return the trigger with which the slowest member left during the rebalance, or None."""
    name = event.slowest and event.slowest[0].name
    return next(
        (
            each
            for each in reversed(event.triggers[1:])
            if each.cause in WENT and each.member and each.member.name == name
        ),
        None,
    )


def returned(linked: Sequence[Rebalance]) -> list[str]:
    """Return the members that left and joined again in a chain, in the order of their joins."""
    return list(dict.fromkeys(absence.key for absence in absences(linked)))


def is_rolling_restart(linked: Sequence[Rebalance]) -> bool:
    """Return whether at least two members left and joined again in the chain."""
    return len(returned(linked)) >= 2


LIVELOCK, STORM = "livelock", "storm"
_STORM_COUNT, _STORM_MS = 5, 5_000
"""Restarts cannot cause so many rebalances in this time: clients need a second to join."""

_LOOP_COUNT = 3


class _Signs:
    """Collects the facts that decide a chain's verdict, without the rebalances themselves."""

    def __init__(self) -> None:
        self._joined: dict[str, set[str]] = {}
        self._gone: set[str] = set()
        self._times: list[int] = []
        self._count = 0

    def add(self, event: Rebalance) -> None:
        """Add a rebalance of the chain."""
        self._count += 1
        for trigger in event.triggers:
            if trigger.member is None:
                continue
            if trigger.cause == "member_joined":
                self._joined.setdefault(trigger.member.key, set()).add(trigger.member.member_id)
            elif trigger.cause in WENT:
                self._gone.add(trigger.member.member_id)
        self._gone.update(member.member_id for member in event.members_left)
        if event.time is not None:
            self._times.append(event.time)

    @property
    def verdict(self) -> str | None:
        """`livelock`, `storm`, or None; None also if the chain has only one rebalance."""
        if self._count < 2:
            return None
        if any(
            len(ids) >= _LOOP_COUNT and len(self._gone & ids) >= _LOOP_COUNT - 1
            for ids in self._joined.values()
        ):
            return LIVELOCK
        times = sorted(self._times)
        pairs = zip(times, times[_STORM_COUNT - 1 :], strict=False)
        return STORM if any(last - first <= _STORM_MS for first, last in pairs) else None


def verdicts(events: Iterable[Rebalance]) -> dict[str, str]:
    """Return the verdict by chain; chains without a verdict are left out.

    `livelock`: a client joins, leaves and joins again, each time with another member id. `storm`:
    at least five rebalances begin within five seconds; restarts cannot be so fast.
    """
    signs: dict[str, _Signs] = {}
    for event in events:
        if event.chain is not None:
            signs.setdefault(event.chain, _Signs()).add(event)
    return {name: verdict for name, each in signs.items() if (verdict := each.verdict)}


def covered(events: Sequence[Rebalance], away: Iterable[Absence]) -> frozenset[int]:
    """Return the indices of rebalances that would not have happened without the absences `away`.

    Each trigger of such a rebalance is the departure or the return of an absent member.
    """
    pairs = set().union(*(absence.pairs for absence in away))
    places = {place for place, _ in pairs}
    return frozenset(
        place
        for place in places
        if all(
            trigger.member is not None and (place, trigger.member.key) in pairs
            for trigger in events[place].triggers
        )
    )
