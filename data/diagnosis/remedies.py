"""Remedies: actions against a cause. A remedy has an effect and a price, and may not help."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.diagnosis import Diagnosis
from evenkeel.assignors.diagnosis.finding import REASON, Class, Code
from evenkeel.data.diagnosis.more_members import Situation, likely, more_members, whole_seconds
from evenkeel.data.diagnosis.new_assignments import (
    best_plan,
    draining_switch,
    no_switch,
    rebalance,
    switch,
    switch_of_silent,
    weights,
)
from evenkeel.data.diagnosis.phrases import are_too_few, is_soon
from evenkeel.data.diagnosis.remedy import Action, Helps, Remedy
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.scenario.scenario import Settings

MOST = 5
_MOST_SETTINGS = 2


def remedies_of(
    observed: ObservedGroup,
    case: Case,
    diagnosis: Diagnosis,
    settings: Settings = Settings(),
    avoidable: Sequence[str] = (),
) -> list[Remedy]:
    """Return the remedies for the headline; the first remedy is to do nothing.

    `avoidable`: sentences about settings that would have prevented rebalances.
    """
    here = Situation(observed, case, diagnosis.headline, settings, avoidable)
    is_open = here.headline.code == Code.UNEVEN and case.is_one_reading
    nothing = _nothing(Class.LATER if is_open else diagnosis.group_class)
    figures = here.headline.figures
    if case.owner is not None and nothing.helps != Helps.YES:
        seconds = figures.get("drain_seconds") or whole_seconds(case.drained_in(case.owner))
        nothing = replace(nothing, drain_seconds=seconds)
    if nothing.helps == Helps.YES and not case.now.is_whole:
        nothing = Remedy(Action.NOTHING, Helps.UNKNOWN, "partitions may be missing")
    if is_soon(nothing.drain_seconds) or diagnosis.group_class == Class.RECOVER:
        nothing = replace(nothing, helps=Helps.UNKNOWN, why=CATCHES_UP)
    remedies = [nothing, *_OF.get(here.headline.code, _none)(here)]
    order = list(Action)
    return sorted(remedies, key=lambda each: order.index(each.action))[:MOST]


def _nothing(group_class: Class) -> Remedy:
    if group_class == Class.FINE:
        return Remedy(Action.NOTHING, Helps.YES, "nothing is wrong")
    if group_class == Class.NEED:
        return Remedy(Action.NOTHING, Helps.NO, "the cause stays")
    return Remedy(Action.NOTHING, Helps.UNKNOWN, "a later reading decides")


def _none(here: Situation) -> Iterator[Remedy]:
    yield from ()


def _look(why: str) -> Remedy:
    return Remedy(Action.LOOK, Helps.UNKNOWN, why)


CATCHES_UP = "it catches up at this pace"

_READ_AGAIN = Remedy(Action.READ_AGAIN, Helps.UNKNOWN, "a second reading decides")


def _down(here: Situation) -> Iterator[Remedy]:
    yield Remedy(Action.START, Helps.YES, "its consumers continue from their commits")
    yield no_switch("there is no member to own partitions")


def _rebalancing(here: Situation) -> Iterator[Remedy]:
    yield Remedy(Action.READ_AGAIN, Helps.UNKNOWN, "a rebalance usually ends by itself")
    yield no_switch("owners still change during the rebalance")


def _past_end(here: Situation) -> Iterator[Remedy]:
    yield _look("the topic may have been recreated")
    yield no_switch("the committed position stays wrong")


def _unread(here: Situation) -> Iterator[Remedy]:
    yield _look("a subscription may be wrong")
    yield rebalance(here)
    yield no_switch("it gives an owner only to partitions that a member subscribes to")


def _stalled(here: Situation) -> Iterator[Remedy]:
    yield _look("it may be in a long poll, or paused")
    yield from _restart_or_switch(here)


def _silent(here: Situation) -> Iterator[Remedy]:
    yield _READ_AGAIN
    yield from _restart_or_switch(here)


def _restart_or_switch(here: Situation) -> Iterator[Remedy]:
    finding = here.headline
    yield Remedy(
        Action.RESTART,
        Helps.UNKNOWN,
        "what it can read is unknown",
        finding.members,
        moves=len(finding.tps),
        restarts=len(finding.members),
    )
    yield Remedy(Action.ADD_MEMBERS, Helps.NO, "partitions stay with members that do not read")
    yield switch_of_silent(here)


def _slow(here: Situation) -> Iterator[Remedy]:
    yield _look("it may run on a slow host")
    yield Remedy(
        Action.RESTART,
        Helps.UNKNOWN,
        "what it can read is unknown",
        here.headline.members,
        restarts=1,
    )
    yield switch(here, Helps.UNKNOWN, "it may be as slow with other partitions")
    yield Remedy(Action.MORE_PARTITIONS, Helps.NO, "a member is slow, not a partition")


def _stuck(here: Situation) -> Iterator[Remedy]:
    yield _look("one record may stop its reader")
    yield from _stays_in_partition(here)


def _one_partition(here: Situation) -> Iterator[Remedy]:
    figures = here.headline.figures
    if not here.case.is_one_reading:
        if "in_rate" in figures and not is_soon(figures.get("drain_seconds")):
            yield _look("a partition is read too slowly")
        yield from _same_reader()
        return
    yield _READ_AGAIN
    yield from _stays_in_partition(here)


def _same_reader() -> Iterator[Remedy]:
    yield no_switch("another owner gets the same records")
    yield Remedy(Action.MORE_PARTITIONS, Helps.NO, "records that wait stay in their partition")


def _stays_in_partition(here: Situation) -> Iterator[Remedy]:
    yield from _same_reader()
    yield Remedy(
        Action.SKIP, Helps.UNKNOWN, "reading continues after the record, if one record stops it"
    )


def _rewound(here: Situation) -> Iterator[Remedy]:
    yield _look("a reset, or a member that commits an old position")
    yield no_switch("the records are read again by every owner")


def _hot(here: Situation) -> Iterator[Remedy]:
    yield _look("one key may send most records")
    yield Remedy(Action.ADD_MEMBERS, Helps.NO, "a partition has one reader")
    yield no_switch("another owner gets the same records")
    yield Remedy(Action.MORE_PARTITIONS, Helps.UNKNOWN, "keys move, but waiting records stay")


def _uncommitted(here: Situation) -> Iterator[Remedy]:
    yield _look("auto.offset.reset decides how much is read")
    yield no_switch("the lag of these partitions is unknown")


def _behind(here: Situation) -> Iterator[Remedy]:
    figures = here.headline.figures
    if here.case.is_one_reading:
        yield _READ_AGAIN
    remedy = None if here.case.is_short else draining_switch(here)
    if remedy is None:
        yield more_members(here, figures["room"])
        is_short = here.case.is_short
        remedy = no_switch(
            "no assignment reads as much as comes in" if is_short else "all readers are behind"
        )
    yield remedy
    if figures["room"] <= 0 or are_too_few(figures):
        why = "allows more members, but moves keys"
        yield Remedy(Action.MORE_PARTITIONS, Helps.UNKNOWN, why)


def _uneven(here: Situation) -> Iterator[Remedy]:
    yield switch(
        here, likely(here.headline), "spreads the lag", str(here.headline.detail["assignor"])
    )
    yield from weights(here)
    yield best_plan(here)
    if here.case.is_one_reading:
        yield _READ_AGAIN


def _lagging(here: Situation) -> Iterator[Remedy]:
    if "in_rate" in here.headline.figures:
        yield _look("more records arrive than it reads")
        yield switch(here, Helps.UNKNOWN, "it gets fewer records, and other members may read more")
        return
    if here.case.is_one_reading:
        yield _READ_AGAIN
    yield _look("the readings do not show why")


def _unknown(here: Situation) -> Iterator[Remedy]:
    why, detail = here.headline.figures.get("why"), here.headline.detail
    if why is not None:
        reason = "no partition has a leader" if why == "no leader" else "a broker does not answer"
    elif detail.get("lacks_ends"):
        reason = "a broker may not answer, or the input has no end offsets"
    else:
        reason = "a right or a column may be missing"
    yield _look(str(detail.get(REASON) or reason))


def _loses(here: Situation) -> Iterator[Remedy]:
    because = here.headline.detail.get("because")
    yield _look("a longer retention.ms keeps what is not deleted yet")
    if because in (Code.DOWN, Code.FORGOTTEN):
        yield Remedy(Action.START, Helps.YES, "its consumers continue with the remaining records")
    elif because == Code.STALLED and here.headline.members:
        yield Remedy(
            Action.RESTART,
            Helps.UNKNOWN,
            "what it can read is unknown",
            here.headline.members,
            moves=len(here.headline.tps),
            restarts=len(here.headline.members),
        )
    yield no_switch("records are deleted whoever owns the partition")


def _blocked(here: Situation) -> Iterator[Remedy]:
    yield _look("a producer left its transaction open")
    yield no_switch("every owner waits at the same offset")
    yield Remedy(Action.MORE_PARTITIONS, Helps.NO, "records that wait stay in their partition")


def _comes_and_goes(here: Situation) -> Iterator[Remedy]:
    yield _look("it crashes, is killed, or is too slow to poll")
    for why in here.avoidable[:_MOST_SETTINGS]:
        yield Remedy(Action.SETTING, Helps.UNKNOWN, why)
    yield no_switch("members that come and go cause rebalances with any assignor")


def _late(here: Situation) -> Iterator[Remedy]:
    yield _look("something slows it down")


_OF: dict[Code, Callable[[Situation], Iterator[Remedy]]] = {
    Code.LOST: _loses,
    Code.LOSES: _loses,
    Code.DOWN: _down,
    Code.REBALANCING: _rebalancing,
    Code.PAST_END: _past_end,
    Code.UNREAD: _unread,
    Code.BLOCKED: _blocked,
    Code.STALLED: _stalled,
    Code.STUCK: _stuck,
    Code.REWOUND: _rewound,
    Code.NEVER_DRAINS: _late,
    Code.OVER_SLO: _late,
    Code.UNSTABLE: _comes_and_goes,
    Code.BURSTS: _comes_and_goes,
    Code.SILENT_MEMBER: _silent,
    Code.SLOW_MEMBER: _slow,
    Code.ONE_PARTITION: _one_partition,
    Code.HOT_PARTITION: _hot,
    Code.UNCOMMITTED: _uncommitted,
    Code.BEHIND: _behind,
    Code.UNEVEN: _uneven,
    Code.LAGGING: _lagging,
    Code.UNKNOWN: _unknown,
}
"""By the code of the headline. Other codes only have the remedy to do nothing."""
