"""The open group of a page. Without an open group, the page shows its purpose and examples."""

from collections.abc import Iterable

import streamlit as st

from evenkeel.assignors.group.lag import UNKNOWN_LAG, known_lag
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.dashboard.names import NO_OWNER
from evenkeel.dashboard.parts import kpi_strip, long_table, move_tables
from evenkeel.dashboard.parts.facts import PARTITIONS, WORST_PARTITION, lag_of
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.scope import choices, group_facts
from evenkeel.dashboard.shell import opened, problem
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.shell.loading.diagnoses import diagnosis
from evenkeel.dashboard.shell.navigation import HOME
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.sources.examples.worked_examples import (
    WORKED_EXAMPLES,
    StreamsExample,
    WorkedExample,
)
from evenkeel.data.text.formats import compact, count, exact

_FIRST = 4


def require(purpose: str, may_be_empty: bool = False) -> tuple[OpenGroup, View]:
    """Return the open group. If there is no group, explain the page and stop.

    If the group has no members, show its known facts and stop, unless `may_be_empty`.
    """
    group = choices.group()
    if group is None:
        show(purpose)
        st.stop()
    problem.warn_of_rebalancing(group)
    view = views.view(group)
    is_without_members = not may_be_empty and not view.names
    if is_without_members or not view.comparison.group.tp_count:
        group_facts.show_diagnosis(group)
    if is_without_members:
        _show_lag_alone(view, diagnosis(group).case.owner is not None)
        problem.require_members(view)
    problem.require_partitions(view)
    problem.warn_of_unlisted(view)
    return group, view


def show(purpose: str) -> None:
    """Explain the page and offer the first worked examples."""
    text = f"{purpose} Open a listing or a group of a cluster, or a worked example:"
    explain("No group is open", text, WORKED_EXAMPLES[:_FIRST])


def explain(title: str, text: str, examples: Iterable[WorkedExample | StreamsExample]) -> None:
    """Draw why a page is empty, with examples to open."""
    with st.container(border=True):
        st.subheader(title, anchor=False)
        st.write(text)
        st.page_link(HOME.script, label="Groups", icon=":material/home:")
        with st.container(horizontal=True):
            for example in examples:
                st.button(
                    example.title,
                    key=f"empty-{example.slug}",
                    on_click=opened.open_example,
                    args=(example.slug,),
                    help=example.sentence,
                )


# Known facts of a group without members: the lag of each partition.


def _show_lag_alone(view: View, has_owners: bool) -> None:
    """Draw the group's lag and a table of its partitions, most lag first.

    `has_owners`: the input has owners, so partitions without an owner are counted too. If the group
    has no partitions, nothing is drawn.
    """
    group = view.comparison.group
    lag = known_lag(group)
    if not group.tp_count:
        return
    unknown, waiting = int((lag == UNKNOWN_LAG).sum()), int((lag > 0).sum())
    worst = int(lag.argmax())
    name = tp_name(group, worst)
    ownerless = [
        Kpi(
            NO_OWNER.capitalize(),
            exact(waiting if unknown < lag.size else None),
            "partitions with lag",
            "worse" if waiting else "",
        )
    ] * has_owners
    kpi_strip.show(
        [
            lag_of(group),
            Kpi(
                WORST_PARTITION,
                compact(int(lag[worst]) if lag[worst] != UNKNOWN_LAG else None),
                name if lag[worst] > 0 else "",
            ),
            *ownerless,
            Kpi(PARTITIONS, exact(group.tp_count), count(sum(group.topic_known.tolist()), "topic")),
        ]
    )
    long_table.show(move_tables.of_group(view), "Lag per partition")
