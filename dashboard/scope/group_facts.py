"""What pages say of the open group: name, state, assignor, certainty, time, and diagnosis."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from evenkeel.assignors.clients.client import PACKAGE
from evenkeel.dashboard.names import in_badge, literal, shown_state
from evenkeel.dashboard.parts import diagnosis_text, reader_zone
from evenkeel.dashboard.scope import gain
from evenkeel.dashboard.scope.live import WATCH
from evenkeel.dashboard.shell import age, watch
from evenkeel.dashboard.shell.input_words import EXPLAINED, level_words, missing, reached, shown
from evenkeel.dashboard.shell.loading.clusters import can_be_read, cluster_of
from evenkeel.dashboard.shell.loading.diagnoses import diagnosis
from evenkeel.dashboard.shell.loading.speeds import is_rated
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.view import Opened, View
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.client_words import badge, meaning
from evenkeel.data.scenarios.leaders import is_ambiguous, possible_leaders, runs_ours
from evenkeel.data.text.formats import first_of

_MOST_WORDS = 12


def show(view: View, group: Opened, assumed: Sequence[str]) -> None:
    """Draw name, state, assignor, level, assumptions in words, and age."""
    observed = view.observed
    _show_title(observed, group)
    show_state(observed, is_example=bool(group.slug))
    if observed.is_classic and observed.snapshot.member_count:
        possible = possible_leaders(observed)
        color = "orange" if len(possible) > 1 else "gray"
        words = (observed.leader, possible, group.client)
        st.badge(badge(*words), icon=":material/hub:", color=color, help=meaning(*words))
    show_level(observed, is_rated(view), view.is_certain)
    if assumed:
        lines = "\n".join(f"* {literal(text)}" for text in first_of(assumed, _MOST_WORDS))
        st.badge(
            f"{len(assumed)} assumed",
            icon=":material/help:",
            color="gray" if group.slug else "orange",
            help=f"{EXPLAINED}\n\n{lines}",
        )
    _show_age(observed, group)


def _show_title(observed: ObservedGroup, group: Opened) -> None:
    name = observed.group_id or group.source_file or "unnamed group"
    st.html(f'<h1 class="scope-title" title="{escape(name)}">{escape(name)}</h1>', width="content")


def show_name(view: View, group: Opened) -> None:
    """Draw name, cluster, assignor and age."""
    observed = view.observed
    _show_title(observed, group)
    facts = [cluster_of(group) if group.batch else None, observed.assignor]
    text = " · ".join(filter(None, facts))
    if text:
        st.html(f'<span class="note">{escape(text)}</span>', width="content")
    _show_age(observed, group)


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


def show_level(observed: ObservedGroup, has_rates: bool, is_certain: bool) -> None:
    """Draw the badge of completeness; arguments as of `reached`."""
    level = reached(observed, has_rates, is_certain)
    icon = ":material/signal_cellular_alt:"
    st.badge(
        level_words(level, has_rates), icon=icon, color="blue", help=_level(observed, has_rates)
    )


def _assignor(observed: ObservedGroup) -> str:
    used = "The assignor that the group uses now"
    if runs_ours(observed):
        return f"{used}: the leader runs it with the package {PACKAGE}. It reads the lags in each rebalance."
    if not is_ambiguous(observed):
        return used
    return f"{used}. {observed.assignor}: the clients' or the brokers'; the listing does not say which, so no row is marked “in use”."


def _level(observed: ObservedGroup, has_rates: bool) -> str:
    without = missing(observed)
    still = (
        f" Still missing: {'; '.join(without)}."
        if without
        else " Nothing that an assignor needs is missing."
    )
    rates = ", and rates, because it was read more than once" if has_rates else ""
    return f"This input shows {shown(observed)}{rates}.{still}"


def _show_age(observed: ObservedGroup, group: Opened) -> None:
    if group.slug:
        st.html('<span class="note">a worked example</span>', width="content")
        return
    if observed.taken_at:
        age.show(
            observed.taken_at,
            watch.due(watch.seconds(WATCH)) if can_be_read(cluster_of(group)) else None,
        )
    elif group.batch:
        age.show(imported(group.batch).manifest.ingested_at, word="read at")
    reader_zone.show()


# What is wrong with the open group.


def show_diagnosis(group: Opened) -> None:
    """Draw the diagnosis and its advice, in two sentences: Overview has the rest."""
    answer = diagnosis(group, gain=gain.asked())
    diagnosis_text.show_sentence(answer.sentence, answer.advice)
