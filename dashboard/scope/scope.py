"""The line above every page: group, leader, time of the reading, and candidate."""

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from evenkeel.assignors.compare.comparison import Row
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.scope import choices, gain, group_facts, live, readings
from evenkeel.dashboard.shell import address, by_link, opened
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading import applications, views
from evenkeel.dashboard.shell.loading.answer_facts import first_candidate
from evenkeel.dashboard.shell.loading.plugins import assignor_names
from evenkeel.dashboard.shell.navigation import STREAMS
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.configuration import configuration
from evenkeel.data.text.formats import duration

_KEY = "candidate"
_FIRST_OF = "candidate-first-of"
"""The group and the client whose best assignor became the candidate. Absent after a person has
chosen a candidate.
"""


def candidate(view: View) -> Row:
    """Return the row of the candidate: the assignor that is compared with the current
    assignment.
    """
    rows = {row.name: row for row in view.comparison.rows[1:]}
    return rows.get(st.session_state.get(_KEY, "")) or next(iter(rows.values()))


def choose(name: str) -> None:
    """Choose an assignor as candidate. Use as a widget callback."""
    st.session_state[_KEY] = name
    _chosen()


def choose_for(group: OpenGroup, name: str) -> None:
    """Choose an assignor as candidate, but only while this group is open."""
    st.session_state[_KEY], st.session_state[_FIRST_OF] = name, _of(group)
    address.chosen(_KEY)


def show(
    tools: Callable[[OpenGroup], None] | None = None,
    verbs: Callable[[OpenGroup, str], None] | None = None,
) -> None:
    """Draw the line above the page. Without an open group, draw only the candidate.

    `tools`: draws widgets of the page before the candidate. `verbs`: draws buttons after the
    candidate.
    """
    group, view, choice = _followed()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        if view and group:
            group_facts.show(view, group)
            choices.show_release(view, group, choice.value)
            group_facts.show_age(view.observed, group)
            if view.waiting:
                _show_awaited(group)
        st.space("stretch")
        if tools and group:
            tools(group)
        # Together: if the line wraps, the candidate's label and actions stay next to its choice.
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            gap="xsmall",
            width="content",
            key="scope-end",
        ):
            st.html('<span class="note">Candidate</span>', width="content")
            chosen = choice.select("Candidate", width=160, on_change=_chosen, args=())
            if verbs and group:
                verbs(group, chosen)
    if group:
        line = st.container(
            horizontal=True, vertical_alignment="center", gap="small", key="scope-line"
        )
        choices.show_reset(group, line)
        live.show(group, line)
        readings.show(group, line)


def show_name(verbs: Callable[[OpenGroup, str], None]) -> None:
    """Draw the line above Overview, without readings: name, source, age and `verbs`."""
    group, view, choice = _followed()
    if group is None or view is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        group_facts.show_name(view, group)
        st.space("stretch")
        verbs(group, choice.value)
    line = st.container(horizontal=True, vertical_alignment="center", gap="small", key="scope-line")
    choices.show_reset(group, line)
    live.show(group, line)


def _followed() -> tuple[OpenGroup | None, View | None, Options]:
    """Return the group in the address, its view, and the choice of the candidate."""
    by_link.follow()
    _require_no_application(opened.current())
    choices.choose_first()
    group = choices.group()
    view = views.view(group) if group else None
    names = [row.name for row in view.comparison.rows[1:]] if view else assignor_names()
    return group, view, _choose_first(group, names)


def _chosen() -> None:
    st.session_state.pop(_FIRST_OF, None)
    address.chosen(_KEY)


def _of(group: OpenGroup) -> tuple[str | None, ...]:
    return *group.lasting, group.client


def _choose_first(group: OpenGroup | None, names: Sequence[str]) -> Options:
    """Choose one of `names` as candidate, before the page draws anything.

    The order: the address, the reader's choice, `first_candidate` of the group. A new reading of
    the group does not change the candidate.
    """
    first, of = (
        (group and first_candidate(group, gain.asked())) or names[0],
        group and _of(group),
    )
    if st.session_state.get(_FIRST_OF, of) != of:
        st.session_state.pop(_KEY, None)
    if st.session_state.get(_KEY) not in names:
        st.session_state[_FIRST_OF] = of
    choice = Options(_KEY, names, first, "candidate")
    choice.follow()
    return choice


# Plug-ins that are still computing. The page is drawn again when a plug-in has answered.


_AWAITED = "awaited"


def _show_awaited(group: OpenGroup) -> None:
    """Draw the names of plug-ins that have not answered yet, with their time limits."""
    st.session_state[_AWAITED] = views.view(group).waiting
    _look(group)


@st.fragment(run_every=1.0)
def _look(group: OpenGroup) -> None:
    waiting = views.view(group).waiting
    if waiting != st.session_state[_AWAITED]:
        address.draw_again()
    plugins = configuration().plugins
    names = ", ".join(
        f"{name} (at most {duration(plugins[name].time_limit.total_seconds())})" for name in waiting
    )
    st.html(f'<span class="note">Waiting for {escape(names)}</span>', width="content")


# An open Kafka Streams application on a page of consumer groups: the page shows its name and a link
# to Streams.


def _require_no_application(group: OpenGroup | None) -> None:
    """Stop the page if a Streams application is open.

    Its members get tasks from a task assignor, not partitions.
    """
    if group and applications.is_application(group):
        name = applications.application(group).document.application_id or "This group"
        with st.container(border=True):
            st.subheader(f"{literal(name)} is a Kafka Streams application", anchor=False)
            st.write(
                "Its instances get tasks from a task assignor. The page Streams shows the tasks;"
                " this page shows consumer groups."
            )
            st.page_link(STREAMS.script, label="Streams", icon=":material/account_tree:")
        st.stop()
