"""The levels of completeness: how to reach each, and what it unlocks."""

from typing import NamedTuple

import streamlit as st


class Level(NamedTuple):
    """What an input shows, its source, and what it unlocks."""

    name: str
    source: str
    unlocks: str


LEVELS = (
    Level("Topics and partitions", "kafka-topics.sh --describe", "sizes of topics"),
    Level("Offsets", "--describe of a group without members", "lag per partition, stuck partitions"),
    Level("Owners", "--describe", "owners, lag per member, moves"),
    Level("All members", "--describe and --describe --members", "idle members, the right fair share"),
    Level(
        "Subscriptions, racks, static ids",
        "group document (JSON)",
        "exact answers of all client-side assignors, as far as racks are known; uniform also needs topic ids, lag needs offsets",
    ),
    Level(
        "Two moments",
        "the same listing again: “Add a later reading”, or times between several",
        "rates, time lag, verdict, when it drains; which partitions changed owner",
    ),
)
_STREAMS = Level(
    "Kafka Streams",
    "streams document (JSON), kafka-streams-groups.sh --describe, live cluster",
    "tasks and their copies, rounds until they are balanced (page Streams)",
)


def show(reached: int | None = None) -> None:
    """Draw the list; mark the level of an input."""
    rows = "".join(_row(level, _boxes(number), number == reached) for number, level in enumerate(LEVELS))
    streams = _row(_STREAMS, '<span class="boxes"></span>', False)
    st.html(f'<h2 class="section">What each input unlocks</h2><ul class="levels">{rows}{streams}</ul>')


def _boxes(number: int) -> str:
    boxes = "".join(f'<i class="{"on" if box < number else ""}"></i>' for box in range(len(LEVELS) - 1))
    return f'<span class="boxes" role="img" aria-label="Level {number}">{boxes}</span>'


def _row(level: Level, bars: str, reached: bool) -> str:
    here = " <em>your input</em>" if reached else ""
    return f"<li>{bars}<span><b>{level.name}</b>{here}<small>{level.source}</small></span><span>{level.unlocks}</span></li>"
