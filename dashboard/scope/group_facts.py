"""Facts about the open group on every page: name, state, assignor, time of reading, diagnosis."""

from html import escape
from typing import NamedTuple

import streamlit as st

from evenkeel.assignors.clients.client import PACKAGE
from evenkeel.assignors.diagnosis.finding import Class, Code
from evenkeel.dashboard.names import in_badge, shown_state
from evenkeel.dashboard.parts import diagnosis_text, reader_zone
from evenkeel.dashboard.scope import gain
from evenkeel.dashboard.scope.live import WATCH
from evenkeel.dashboard.shell import age, watch
from evenkeel.dashboard.shell.loading.clusters import can_be_read, cluster_of
from evenkeel.dashboard.shell.loading.diagnoses import diagnosis
from evenkeel.dashboard.shell.loading.example import is_example
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.leaders import is_ambiguous, runs_ours


def show(view: View, group: OpenGroup) -> None:
    """Draw name, state and assignor."""
    show_title(view.observed, group)
    show_state(view.observed, is_example=bool(group.slug))


def show_title(observed: ObservedGroup, group: OpenGroup) -> None:
    """Draw the name of the group."""
    name = observed.group_id or group.source_file or "unnamed group"
    st.html(f'<h1 class="scope-title" title="{escape(name)}">{escape(name)}</h1>', width="content")


def show_name(view: View, group: OpenGroup) -> None:
    """Draw the group's name, cluster and assignor, and the time of its reading."""
    observed = view.observed
    show_title(observed, group)
    facts = [cluster_of(group) if group.batch else None, observed.assignor]
    text = " · ".join(filter(None, facts))
    if text:
        st.html(f'<span class="note">{escape(text)}</span>', width="content")
    show_age(observed, group)


def show_state(observed: ObservedGroup, is_example: bool = False) -> None:
    """Draw badges of the group's state and of its assignor, if known."""
    if observed.group_state:
        state = shown_state(observed.group_state)
        st.badge(
            in_badge(observed.group_state),
            icon=state.icon,
            color="gray" if is_example else state.color,
            help=state.meaning,
        )
    if observed.assignor:
        whose = " by Evenkeel's assignor" if runs_ours(observed) else ""
        st.badge(
            in_badge(observed.assignor) + whose,
            icon=":material/account_tree:",
            color="gray",
            help=_assignor(observed),
        )


def _assignor(observed: ObservedGroup) -> str:
    used = "The assignor that the group uses now"
    if runs_ours(observed):
        return (
            f"{used}: the leader runs it from the package {PACKAGE}. The assignor reads the lags"
            " in each rebalance."
        )
    if not is_ambiguous(observed):
        return used
    return (
        f"{used}. {observed.assignor} can be the clients' or the brokers' assignor. The listing"
        " does not say which, so no row is marked “in use”."
    )


def show_age(observed: ObservedGroup, group: OpenGroup) -> None:
    """Draw the time of the group's reading."""
    if group.slug:
        st.html('<span class="note">a worked example</span>', width="content")
        return
    cluster = cluster_of(group) if group.batch else None
    if is_example(cluster) and observed.taken_at:
        age.show_example(observed.taken_at)
    elif observed.taken_at:
        age.show(
            observed.taken_at,
            watch.due(watch.seconds(WATCH)) if can_be_read(cluster) else None,
        )
    elif group.batch:
        age.show(imported(group.batch).manifest.ingested_at, word="read at")
    reader_zone.show()


# The diagnosis of the open group.


def show_diagnosis(group: OpenGroup) -> None:
    """Draw only the first sentence of the diagnosis; Overview draws the rest."""
    diagnosis_text.show_sentence(diagnosis(group, gain=gain.asked()).sentence)


class Reassignment(NamedTuple):
    """Facts of the diagnosis that decide how a page shows another assignment.

    `may_help`: another assignment may help. `not_reading`: row numbers of members that read
    nothing. `is_fine`: the group has no problem now. `is_uneven`: its problem is uneven lag.
    """

    may_help: bool
    not_reading: tuple[int, ...]
    is_fine: bool
    is_uneven: bool


def show_whether_to_reassign(group: OpenGroup) -> Reassignment:
    """Draw the first sentence of the diagnosis, and the reason if no other assignment can help.

    Return the facts that decide how a page shows another assignment.
    """
    answer = diagnosis(group, gain=gain.asked())
    diagnosis_text.show_sentence(answer.sentence, answer.no_switch)
    is_fine = answer.group_class == Class.FINE
    is_uneven = answer.code == Code.UNEVEN
    return Reassignment(answer.may_reassign, answer.not_reading, is_fine, is_uneven)
