"""When a group is drained, in words."""

from math import isnan
from typing import NamedTuple

from dashboard.words.formats import NARROW, UNKNOWN, at_least, count, duration, span
from data.scenarios.drains import GroupDrain
from data.scenarios.run.step_drains import COMING, StepDrain
from data.words.history import why_never

HELP = "Until nothing is behind, by the group's last snapshots; 90 % of 200 draws of rates and capacities lie between both ends"
NEVER = "never"
SINGLE = "Too few readings for a band"

_NO_ANSWER = "No time is told for this answer"
_UNKNOWN = "The snapshots do not tell the rate of each partition, or what each member can read"


class Words(NamedTuple):
    """`tone`: worse, quiet or empty."""

    text: str
    tip: str
    tone: str = ""


def drain_words(found: GroupDrain | None, why_unknown: str = _UNKNOWN) -> Words:
    """Return a band with what stands behind it, None for an assignor without an answer."""
    if found is None:
        return Words(UNKNOWN, _NO_ANSWER, "quiet")
    low, middle, high = (float(end) for end in found.band)
    if found.is_single:
        return Words(f"≈ {duration(middle)}", f"{SINGLE}: as long as members read and records come as between them")
    if isnan(low):
        return Words(UNKNOWN, why_unknown, "quiet")
    if found.is_never:
        return Words(NEVER, f"Never: {why_never(found.excess)}", "worse")
    if isnan(middle):
        return Words(at_least(duration(low), True), "Some lags are unknown")
    if not high:
        return Words("0", "It keeps up: all that is behind came in between two commits", "quiet")
    return Words(span(low, high), f"Middle {duration(middle)}; 90{NARROW}% of 200 draws lie between both ends")


def step_drain_words(found: StepDrain | None) -> Words:
    """Return the same of a step, with what its edits make unknown or assumed."""
    if found is COMING:
        return Words("…", "Still computed", "quiet")
    if found is None:
        return drain_words(None)
    words = drain_words(found.drain, _why_unknown(found))
    return words if words.text == UNKNOWN else words._replace(tip=". ".join([words.tip, *_assumed(found)]))


def _why_unknown(found: StepDrain) -> str:
    facts = [
        f"what comes into {count(found.unknown_rates, 'partition')} is unknown" if found.unknown_rates else "",
        f"what {count(found.unknown_capacities, 'member')} can read is unknown" if found.unknown_capacities else "",
    ]
    said = ", and ".join(filter(None, facts))
    return f"{said[0].upper()}{said[1:]}: the snapshots do not show it" if said else _UNKNOWN


def _assumed(found: StepDrain) -> list[str]:
    members, topics = found.assumed_capacities, found.grown_topics
    return [
        *([f"Assumed: {count(members, 'new member')} can read the median of the others"] if members else []),
        *([f"Assumed: records of {count(topics, 'topic')} spread over new partitions too"] if topics else []),
    ]
