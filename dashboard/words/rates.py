"""Rates of a history, in words."""

from collections.abc import Mapping
from datetime import datetime

from evenkeel.dashboard.words.times import local, zone
from evenkeel.data.words.formats import compact, duration


def stretch_words(stretch: tuple[float, float, float | None]) -> str:
    """`last 5 m: 18.1 k records/s in, a member reads up to 3.6 k`; seconds, records/s in, and what the fastest member reads."""
    seconds, in_rate, capacity = stretch
    reads = "what members can read was not seen" if capacity is None else f"a member reads up to {compact(capacity)}"
    return f"last {duration(seconds)}: {compact(in_rate)} records/s in, {reads}"


def measured_over(measured: Mapping[str, str]) -> str:
    """`measured 08:00:00 to 08:05:00 UTC`; `measured`: of an edit."""
    since, until = (datetime.fromisoformat(measured[end]) for end in ("since", "until"))
    return f"measured {local(since):%H:%M:%S} to {local(until):%H:%M:%S} {zone(until)}"
