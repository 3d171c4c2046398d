"""The line above the page Streams: application, state, time of reading, assignor, menu Share."""

from html import escape

import streamlit as st

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.kafka.streams.legacy_sticky import FallbackPriorTaskAssignor
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import reader_zone
from evenkeel.dashboard.parts.task_tables import restoring
from evenkeel.dashboard.scope import open_group
from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shell import age, by_link, opened
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.input_words import EXPLAINED, task_assumptions
from evenkeel.dashboard.shell.loading import applications
from evenkeel.dashboard.shell.loading.applications import (
    AssignorRounds,
    application,
    default_assignor,
)
from evenkeel.dashboard.streams import what_if
from evenkeel.dashboard.view import ApplicationView, OpenGroup
from evenkeel.data.group.columns import TaskNames
from evenkeel.data.sources.examples.worked_examples import STREAMS_EXAMPLES
from evenkeel.data.text.formats import exact, first_of

_PURPOSE = (
    "Streams shows which instance runs each task, which instances have copies of state or warm"
    " them up, and when the application is balanced (KIP-441). Open a streams document, the"
    " output of `kafka-streams-groups.sh`, or a worked example:"
)


def require() -> OpenGroup:
    """Return the open application. Without an application, explain the page and stop."""
    by_link.follow()
    group = opened.current()
    if group and applications.is_application(group):
        return applications.key_of(group)
    title = (
        "No Kafka Streams application is open"
        if group is None
        else "The open group is not a Kafka Streams application"
    )
    open_group.explain(title, _PURPOSE, STREAMS_EXAMPLES)
    st.stop()


# The line above the Streams page: the application, its state, its reading time and the assignor.


_MOST_WORDS = 12
_FALLBACK = (
    "Kafka uses `fallback-prior` in place of `high-availability` if the leader cannot read end"
    " offsets. No setting selects it."
)


def choose_first(opened: OpenGroup) -> str:
    """Return the chosen assignor: from the address, else Kafka's default.

    The address is read before the page draws anything.
    """
    return _choice(application(opened)).follow()


def show(view: ApplicationView, answered: AssignorRounds) -> None:
    """Draw the line above the page."""
    name = view.document.application_id or "unnamed application"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        st.html(
            f'<h1 class="scope-title" title="{escape(name)}">{escape(name)}</h1>', width="content"
        )
        st.badge(
            "Streams",
            icon=":material/account_tree:",
            color="gray",
            help="A Kafka Streams application.",
        )
        _show_state(view, answered)
        _show_assumed(view, answered)
        if view.opened.slug:
            st.html('<span class="note">a worked example</span>', width="content")
        if view.document.taken_at:
            if not view.opened.slug:
                age.show(view.document.taken_at)
            reader_zone.show()
        st.space("stretch")
        what_if.show_tools(view.opened)
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
        ):
            st.html('<span class="note">Assignor</span>', width="content")
            chosen = _choice(view).select("Assignor", width=180)
            if chosen == FallbackPriorTaskAssignor.name:
                st.badge("end offsets unread", icon=":material/help:", color="gray", help=_FALLBACK)
        _show_menu(view.opened, chosen)


def _show_assumed(view: ApplicationView, answered: AssignorRounds) -> None:
    paths = (
        TaskNames(view.document).assumed_paths(answered.task_rounds.rounds[0].answer)
        if answered.task_rounds
        else view.document.assumed or ()
    )
    words = task_assumptions(paths)
    if words:
        lines = "\n".join(f"* {literal(text)}" for text in first_of(words, _MOST_WORDS))
        help_text = f"{EXPLAINED}\n\n{lines}"
        st.badge(
            f"{exact(len(words))} assumed", icon=":material/help:", color="orange", help=help_text
        )


def _choice(view: ApplicationView) -> Options:
    key, default = f"streams-assignor-{view.document.type}", default_assignor(view.document)
    return Options(key, list(TASK_ASSIGNORS), default, "assignor", "assignor")


def _show_state(view: ApplicationView, answered: AssignorRounds) -> None:
    if answered.task_rounds is None:
        return
    stopped, seconds = restoring(view, answered.task_rounds)
    if stopped and (seconds is None or seconds >= 1):
        meaning = (
            "Tasks have moved to instances without their state, so these tasks are stopped until"
            " the state is restored."
        )
        st.badge("Restoring", icon=":material/hourglass_top:", color="orange", help=meaning)
    elif len(answered.task_rounds.rounds) == 1 and answered.task_rounds.is_balanced:
        st.badge(
            "Balanced",
            icon=":material/check_circle:",
            color="green",
            help="The leader requests no probing rebalance.",
        )
    else:
        meaning = (
            "Tasks will move when another instance has their state. The leader requests probing"
            " rebalances to check this."
        )
        st.badge("Probing", icon=":material/sync:", color="yellow", help=meaning)


# Share of Streams: a link to the view, or a frozen share of the application and its steps.


def _show_menu(opened: OpenGroup, chosen: str) -> None:
    """Draw the menu Share. A shared link opens the open step, with the assignor `chosen`
    selected.
    """
    now = what_if.place(opened)
    menu.show_application(opened, now.steps, {"step": now.step, "candidate": chosen})
