"""The sentence above the table: does switching to the candidate help?"""

from html import escape

import streamlit as st

from assignors import ASSIGNORS, JAVA
from assignors.figures.comparison import CURRENT, Row
from assignors.rounds.switch import Switch
from dashboard import loading
from dashboard.loading.history.drain_times import known_times
from dashboard.view import Opened, View
from dashboard.words.answers.verdict import Situation, verdict
from dashboard.words.names import partition_name
from data.scenarios.drains import is_later
from data.scenarios.leaders.assignor_in_use import in_use

_SHARE = "share"


def show(group: Opened, view: View, candidate: Row, switch: Switch | None) -> None:
    """Draw it."""
    rows, best, drains = view.comparison.rows, loading.first_candidate(group), known_times(view)
    is_late = best is not None and is_later(drains.get(best), drains.get(CURRENT))
    said = verdict(
        Situation(
            current=rows[0],
            candidate=candidate,
            switch=switch,
            tp_count=view.comparison.group.tp_count,
            is_in_use=candidate.name == in_use(view.observed),
            client=view.client if view.observed.is_classic else JAVA,
            needs_jar=candidate.name not in ASSIGNORS or not ASSIGNORS[candidate.name].is_in_kafka,
            best=None if is_late else next((row for row in rows if row.name == best), None),
            hottest=_hottest(group, view),
            drains_now=drains.get(CURRENT),
            drains=drains.get(candidate.name),
        )
    )
    st.html(f'<p class="verdict"><b{f" class={said.tone}" * bool(said.tone)}>{escape(said.answer)}</b>{escape(said.rest)}</p>')


def _hottest(group: Opened, view: View) -> tuple[str, int] | None:
    """Return name and lag of the partition that is a floor for every assignor, None if its lag is small beside a fair share.

    A share group has none: several of its members read one partition.
    """
    found, group_columns = loading.hottest_partition(group), view.comparison.group
    if found is None or not found.is_over_half_share or view.observed.group_type == _SHARE:
        return None
    return partition_name(group_columns.topic_name[group_columns.tp_topic[found.tp]], group_columns.tp_partition[found.tp]), found.lag
