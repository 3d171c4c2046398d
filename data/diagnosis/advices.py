"""Advice texts that depend on the figures of a finding."""

from collections.abc import Mapping
from typing import Any

from evenkeel.assignors.diagnosis.finding import REASON, Finding
from evenkeel.data.diagnosis.phrases import Names, are_too_few, is_soon
from evenkeel.data.text.formats import counted, duration, number

_LOOK = "alive, in a long poll, or paused?"


def later_reading(finding: Finding, names: Names) -> str:
    """Advise about one partition that lags: wait, read faster, or read the group again."""
    figures = finding.figures
    if is_soon(figures.get("drain_seconds")):
        return f"It catches up by itself, drained in about {duration(figures['drain_seconds'])}."
    if "in_rate" in figures:
        who = "its owner" if len(finding.members) == 1 else "their owners"
        return f"Make {who} read faster: no other owner would read more of one partition."
    if finding.detail["readings"] == 2:
        return "Read again in a minute."
    moves = "too slow" if finding.detail["is_only"] else "hot"
    return (
        f"Read again in a minute: the partition is stuck if its offset stays, {moves} if it moves."
    )


def readable(finding: Finding, names: Names) -> str:
    """Advise how to make a group's lag known."""
    if finding.detail.get(REASON):
        return "Read the group again when this is repaired."
    if finding.lag is None and finding.detail["lacks_ends"]:
        return "Check if the brokers of its partitions answer, or paste a listing with end offsets."
    return "Paste the listing with offsets and owners, or see which right is missing."


def rest(finding: Finding, names: Names) -> str:
    """Return "Nothing to do"; if input rows are missing, advise to paste the whole listing."""
    if finding.detail["is_whole"]:
        return "Nothing to do."
    return "Paste the whole listing: a row could not be read, and partitions may be missing."


def _first(finding: Finding, advice: str) -> str:
    """Return an advice. If the group was read only once, first advise to read it again."""
    if finding.detail["readings"] == 1:
        return f"Read again in a minute. If it is still so, {advice}"
    return advice[0].upper() + advice[1:]


def faster_or_more(finding: Finding, names: Names) -> str:
    """Advise faster reading or more members, depending on the rates."""
    figures = finding.figures
    room, partitions = figures["room"] > 0, figures["partitions"]
    rates = rates_text(figures) if "in_rate" in figures else ""
    if "drain_seconds" in figures:
        rates = f"{rates}, drained in about {duration(figures['drain_seconds'])}"
    if is_soon(figures.get("drain_seconds")):
        more = f", sooner with more members, up to {partitions:,}" if room else ""
        return f"It catches up by itself: {rates}{more}."
    is_never = rates and "drain_seconds" not in figures
    needed = figures.get("needed")
    if finding.detail.get("by_switch"):
        advice = "switch the assignor, so that no member gets more than it reads."
    elif room and is_never and figures["reach"] < figures["in_rate"]:
        reach = f"{partitions:,} members would read only {number(figures['reach'])}"
        advice = f"make reading faster, because {reach}."
    elif not room or are_too_few(figures):
        advice = "make reading faster, or add partitions, which moves keys."
    elif is_never and needed is None:
        advice = "make reading faster: more members alone would not drain it."
    elif is_never:
        most = f", up to {partitions:,}" if needed < partitions else ""
        advice = f"run at least {needed:,} members{most}, or make reading faster."
    else:
        advice = f"add members, up to {partitions:,}, or make reading faster."
    return f"{rates}: {advice}" if rates else _first(finding, advice)


def rates_text(figures: Mapping[str, Any]) -> str:
    """Return the rates in words, such as `450 records/s come in, 150 are read`."""
    return (
        f"{number(figures['in_rate'])} records/s come in, {number(figures['read_rate'])} are read"
    )


def switch(finding: Finding, names: Names) -> str:
    """Advise a switch of assignor, or other actions if the lag would never drain after a switch."""
    figures, detail = finding.figures, finding.detail
    if detail.get("never_drains"):
        return "No assignment drains it at this pace: make reading faster."
    if detail.get("never_by_switch"):
        if detail["soon"]:
            return f"It catches up by itself, drained in about {detail['soon']}."
        never = f"{detail['assignor']} would not drain it at this pace"
        return f"{never}: see whether the best plan does, or make reading faster."
    moves = counted(figures["moved"], "partition")
    are_moved = "moves" if figures["moved"] == 1 else "move"
    gain = f"{figures['gain']:.0%}".replace("%", " %")
    advice = (
        f"switch to {detail['assignor']}: the worst member has {gain} less, {moves} {are_moved}."
    )
    return _first(finding, advice)


def restart_or_look(finding: Finding, names: Names) -> str:
    """Advise to look at members that read nothing; if some members still read, also a restart."""
    count, look = len(finding.members), look_at(finding, names)
    if not finding.detail["are_all"]:
        it, its = ("it", "its") if count == 1 else ("them", "their")
        return f"{look} Restart {it}, and {its} partitions go to others."
    if count == 1:
        return f"{look} If it is none of these, restart it."
    return f"{look} All members have stopped: look for what they share, such as a database."


def fewer_partitions(finding: Finding, names: Names) -> str:
    """Advise fewer partitions for a member that reads too slowly."""
    if "in_rate" not in finding.figures:
        return "Read again in a minute."
    return "It gets more than it reads: give it fewer partitions, or make reading faster."


def compare_with_others(finding: Finding, names: Names) -> str:
    """Advise to compare members that read slowly with other members."""
    is_alive, its = ("it is", "its") if len(finding.members) == 1 else ("they are", "their")
    alive = f"Look at {names.hosts(finding.members)}: {is_alive} alive."
    return f"{alive} Compare {its} CPU, pauses and calls with others'."


def look_at(finding: Finding, names: Names) -> str:
    """Advise to look at members."""
    return f"Look at {names.hosts(finding.members)}: {_LOOK}"
