"""A group's drain time in words, with the rates that were used to compute it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from math import isnan
from typing import NamedTuple

from evenkeel.assignors.protocol import CURRENT
from evenkeel.dashboard.times import local, zone
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.scenarios.run.step_drains import COMING, StepDrain
from evenkeel.data.text.formats import (
    NARROW,
    UNKNOWN,
    at_least,
    compact,
    count,
    duration,
    listed,
    span,
)
from evenkeel.data.text.names import elided, without_uuid
from evenkeel.data.timeline.words import REBALANCING, why_never

HELP = (
    "Time until the lag is 0, estimated from the group's last snapshots; 90 % of 200"
    " simulations are in this range"
)

Names = Mapping[str, str]
"""Member names by member id; used if a page has names of its own."""

NO_NAMES: Names = {}
NEVER = "never"
_NAME = 16
"""Highest number of letters in the name of a member."""

SINGLE = "Too few readings for a range"

_NO_ANSWER = "The drain time is unknown"
_UNKNOWN = "The snapshots do not show how fast partitions are written, or how fast members read"


class Words(NamedTuple):
    """Words of a drain time. `tone`: `worse`, `quiet` or an empty string."""

    text: str
    tip: str
    tone: str = ""


def drain_words(
    drained: GroupDrain | None, why_unknown: str = _UNKNOWN, names: Names = NO_NAMES
) -> Words:
    """Return the words of a drain time. The tip names assumed rates and says why a group never
    drains.

    `drained`: None if the assignor has no answer.
    """
    if drained is None:
        return Words(UNKNOWN, _NO_ANSWER, "quiet")
    words = _words(drained, why_unknown, names)
    return words._replace(tip=". ".join([words.tip, *assumed_rates([drained], names)]))


def assumed_rates(drains: Iterable[GroupDrain], names: Names = NO_NAMES) -> list[str]:
    """Return one sentence that names the members with an assumed rate in any of `drains`.

    The list is empty if no rate is assumed.
    """
    members = list(dict.fromkeys(member for drained in drains for member in drained.assumed))
    return (
        [f"{_rates_of([_short(member, names) for member in members])} assumed: the group's median"]
        if members
        else []
    )


def _rates_of(members: Sequence[str]) -> str:
    return f"{members[0]}'s rate is" if len(members) == 1 else f"The rates of {listed(members)} are"


def _short(member: str, names: Names) -> str:
    return names.get(member) or without_uuid(member)


def _even(drained: GroupDrain, names: Names) -> str:
    members = [_short(member, names) for member in drained.even]
    verb = "reads" if len(members) == 1 else "read"
    return (
        f"{listed(members)} {verb} about as many records as are written: too few readings to"
        " tell whether the lag drains"
        if members
        else ""
    )


def _words(drained: GroupDrain, why_unknown: str, names: Names) -> Words:
    low, middle, high = (float(end) for end in drained.band)
    if drained.is_single:
        return Words(
            f"≈ {duration(middle)}",
            f"{SINGLE}; this time assumes that the rates do not change",
        )
    if isnan(low):
        return Words(
            UNKNOWN,
            REBALANCING if drained.is_between else _even(drained, names) or why_unknown,
            "quiet",
        )
    if drained.is_never:
        return Words(NEVER, f"Never: {reason(drained, names)}", "worse")
    if isnan(middle):
        return Words(at_least(duration(low), True), "Some lags are unknown")
    if not high:
        return Words(
            "0",
            "The group keeps up: its lag is only the records written between two commits",
            "quiet",
        )
    return Words(
        span(low, high),
        f"Middle {duration(middle)}; 90{NARROW}% of 200 simulations fall in this range",
    )


def reason(drained: GroupDrain, names: Names = NO_NAMES) -> str:
    """Return why a group never drains, for example: members read less than is written."""
    members, partitions, stuck = drained.endless
    return why_never(
        drained.excess,
        [_short(member, names) for member in members],
        partitions,
        stuck,
        drained.missing,
    )


def short_reason(drained: GroupDrain) -> str:
    """Return in a few words why a group never drains: `213.2/s more than pay-3 reads`."""
    members, partitions, stuck = drained.endless
    if stuck or not members or isnan(drained.excess) or not drained.excess:
        return reason(drained)
    who = (
        f"{elided(without_uuid(members[0]), _NAME)} reads"
        if len(members) == 1
        else f"{count(len(members), 'member')} read"
    )
    return (
        f"{drained.excess:,.1f}/s more than {who}"
        + f", {count(len(partitions), 'partition')} without owner" * bool(partitions)
    )


def never_line(
    drains: Mapping[str, GroupDrain], stuck: Sequence[str], names: Names = NO_NAMES
) -> str:
    """Say that the group never drains as it is, or else under which assignors it never drains.

    Empty if all drain. `stuck`: names of partitions without progress.
    """
    if CURRENT not in drains or not drains[CURRENT].is_never:
        return " ".join(_never_under(drains, names))
    who = (
        "Under every assignor the group never drains"
        if all(drain_of_name.is_never for drain_of_name in drains.values())
        else "As it is, the group never drains"
    )
    known_stuck = {*drains[CURRENT].endless.stuck, *drains[CURRENT].endless.partitions}
    others = [name for name in stuck if name not in known_stuck]
    stands = f" No progress: {listed(others)}." if others else ""
    return f"{who}: {reason(drains[CURRENT], names)}.{stands}"


def _never_under(drains: Mapping[str, GroupDrain], names: Names) -> list[str]:
    """Return one sentence for each reason why the group never drains, with the names of the
    assignors.
    """
    by_reason: dict[str, list[str]] = {}
    for name, drained in drains.items():
        if drained.is_never:
            by_reason.setdefault(reason(drained, names), []).append(name)
    return [
        f"Under {listed(under, len(under))} the group never drains: {why}."
        for why, under in by_reason.items()
    ]


def step_drain_words(drained: StepDrain | None) -> Words:
    """Return the words of a step's drain time; the tip names unknown and assumed rates."""
    if drained is COMING:
        return Words("…", "Still computed", "quiet")
    if drained is None:
        return drain_words(None)
    words = drain_words(drained.drain, _why_unknown(drained))
    return (
        words
        if words.text == UNKNOWN
        else words._replace(tip=". ".join([words.tip, *_assumed(drained)]))
    )


def _why_unknown(drained: StepDrain) -> str:
    facts = [
        f"the rate into {count(drained.unknown_rates, 'partition')} is unknown"
        if drained.unknown_rates
        else "",
        f"the read rate of {count(drained.unknown_capacities, 'member')} is unknown"
        if drained.unknown_capacities
        else "",
    ]
    text = ", and ".join(filter(None, facts))
    return f"{text[0].upper()}{text[1:]}: the snapshots do not show it" if text else _UNKNOWN


def _assumed(drained: StepDrain) -> list[str]:
    members, topics, medians = (
        drained.assumed_capacities,
        drained.grown_topics,
        drained.median_capacities,
    )
    return [
        # Only a history has names; a share has no names.
        *(
            [f"Assumed: {count(medians, 'member')} can read at the group's median rate"]
            if medians and not drained.drain.assumed
            else []
        ),
        *(
            [
                f"Assumed: {count(members, 'new member')} can read at the median rate of the"
                " other members"
            ]
            if members
            else []
        ),
        *(
            [f"Assumed: records of {count(topics, 'topic')} are written to new partitions too"]
            if topics
            else []
        ),
    ]


# Rates of a history, in words.


def stretch_words(stretch: tuple[float, float, float | None]) -> str:
    """Return `last 5 m: 18.1 k records/s in, a member reads up to 3.6 k`.

    `stretch`: length of the period in seconds, incoming records/s, and records/s of the fastest
    member (None if unknown).
    """
    seconds, in_rate, capacity = stretch
    reads = (
        "the read rate of members was not seen"
        if capacity is None
        else f"a member reads up to {compact(capacity)}"
    )
    return f"last {duration(seconds)}: {compact(in_rate)} records/s in, {reads}"


def measured_over(measured: Mapping[str, str]) -> str:
    """Return `measured 08:00:00 to 08:05:00 UTC`.

    `measured`: start (`since`) and end (`until`) of the measurement of an edit's rates.
    """
    since, until = (datetime.fromisoformat(measured[end]) for end in ("since", "until"))
    return f"measured {local(since):%H:%M:%S} to {local(until):%H:%M:%S} {zone(until)}"
