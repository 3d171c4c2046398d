"""The remedy `add members`: how many new members a lagging group needs to drain, and the effect."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.finding import Certainty, Finding
from evenkeel.assignors.group.edits.members import add_members
from evenkeel.assignors.group.edits.result import carry_over
from evenkeel.data.diagnosis.offers import assigned_at_rest, moved_from
from evenkeel.data.diagnosis.phrases import is_soon
from evenkeel.data.diagnosis.remedy import Action, Helps, Remedy
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.leaders import in_use, own_assignors
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.text.formats import number


class Situation(NamedTuple):
    """A diagnosed group, for the functions that compute its remedies."""

    observed: ObservedGroup
    case: Case
    headline: Finding
    settings: Settings
    avoidable: Sequence[str]


def whole_seconds(seconds: float) -> int | None:
    """Return a drain time in whole seconds; None if it is endless or unknown."""
    return math.ceil(seconds) if math.isfinite(seconds) else None


def likely(finding: Finding) -> Helps:
    """Return how sure a remedy is to help: `UNKNOWN` if the finding is unsure, else `YES`."""
    is_unsure = finding.certainty == Certainty.UNSURE
    return Helps.UNKNOWN if is_unsure else Helps.YES


def more_members(here: Situation, room: int) -> Remedy:
    """Return the remedy `add members`, with the smallest number that is enough.

    If rates are unknown, the number is `room`: the group then has a member for each partition.
    """
    if room <= 0:
        return Remedy(Action.ADD_MEMBERS, Helps.NO, "no partition is left for another member")
    used, figures, why = (
        in_use(here.observed),
        here.headline.figures,
        "each partition may have its own member",
    )
    if "in_rate" not in figures:
        return _with_members(here, used, room, likely(here.headline), why)
    if is_soon(figures.get("drain_seconds")):
        return _with_members(here, used, room, Helps.UNKNOWN, "it catches up without more members")
    if "drain_seconds" in figures:
        return _with_members(here, used, room, Helps.YES, why)
    least = min(max(figures["needed"] - figures["members"], 1), room)
    settable = sorted(here.case.all_offers, key=lambda each: each.price)
    for name in dict.fromkeys([used, *(each.name for each in settable)]):
        why = "enough for the arriving records" if name == used else f"enough together with {name}"
        remedies = partial(_with_members, here, name, helps=Helps.YES, why=why)
        counts = range(least, room + 1)
        place = bisect_left(
            counts, True, key=lambda count: remedies(count).drain_seconds is not None
        )
        if place < len(counts):
            return remedies(counts[place])
    why = "even a reader for each partition would not drain it"
    if figures["reach"] < figures["in_rate"]:
        why = f"{number(figures['reach'])} of {number(figures['in_rate'])} records/s would be read"
    return _with_members(here, used, room, Helps.NO, why)


def _with_members(here: Situation, name: str | None, count: int, helps: Helps, why: str) -> Remedy:
    """Return the remedy of `count` new members, with its effect if assignor `name` assigns."""
    observed, case = here.observed, here.case
    group, remedy = observed.snapshot, Remedy(Action.ADD_MEMBERS, helps, why, count=count)
    if name not in ASSIGNORS or observed.current is None:
        return remedy
    topics = [group.topic_name[row] for row in here.headline.topics]
    ids = [f"new-{place}" for place in range(1, count + 1)]
    edited = add_members(group, ids, [None] * count, None, topics, is_classic=observed.is_classic)
    assigned = assigned_at_rest(edited.group, own_assignors(observed, here.settings)[name])
    if assigned is None:
        return remedy
    before = carry_over(observed.current, group, edited)
    seconds = math.nan
    if case.pace is not None:
        capacity = np.full(edited.group.member_count, case.pace.mean)
        is_known = ~np.isnan(case.pace.capacity)
        capacity[edited.member_row[is_known]] = case.pace.capacity[is_known]
        seconds = float(case.pace.drained(case.lag_now, assigned.owner, capacity).group)
    return replace(
        remedy,
        assignor=name,
        worst_lag=balance(edited.group, assigned, case.lag_now).worst_lag,
        moves=moved_from(before, assigned, edited.group, case.lag_now),
        restarts=0,
        drain_seconds=whole_seconds(seconds),
    )
