"""The open group with the choices above the page: client and release, and `auto.offset.reset`."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.group.lag import decided_by_reset
from evenkeel.assignors.kafka.release import NEWEST, RELEASES
from evenkeel.assignors.protocol import CLASSIC
from evenkeel.dashboard.scope import gain
from evenkeel.dashboard.shell import opened
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading import answer_facts
from evenkeel.dashboard.shell.loading.views import view
from evenkeel.dashboard.view import Opened, View
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.client_words import badge, meaning, shown
from evenkeel.data.scenarios.leaders import possible_leaders
from evenkeel.data.text.formats import count, listed


def choose_first() -> None:
    """Take the choices from the address before anything is drawn."""
    gain.choose_first()
    choose_first_release(opened.current())
    choose_first_reset(with_release(opened.current()))


def group() -> Opened | None:
    """Return the open group with the choices."""
    return with_reset(with_release(opened.current()))


# Which client and which release answer: of the brokers for their assignors, of the leader for the
# clients'. It is part of the address.


_KEY, _GROUP = "kafka", "kafka-group"
_HELP = (
    "A classic group is assigned by its leader, with that client's own code: choose the client and"
    " the release that lead your group. {} run in the brokers: there the Kafka release counts, or"
    " the newest release if the client is not Java. A release between two listed releases behaves"
    " like the older one. Choose the release you run to see what an upgrade moves."
)


def with_release(group: Opened | None) -> Opened | None:
    """Return the group with the chosen client and release."""
    if group is None:
        return None
    chosen, leader = st.session_state.get(_KEY, NEWEST), answer_facts.leader(group)
    client, kafka = (JAVA, chosen) if chosen in RELEASES else (chosen, NEWEST)
    return group._replace(kafka=kafka, client=None if client == leader else client)


def choose_first_release(group: Opened | None) -> None:
    """Take the choice from the first address before anything is drawn; a group led by another
    client starts with that client.
    """
    first = _first(group)
    if group and st.session_state.get(_GROUP) != group.lasting:
        if first != NEWEST or st.session_state.get(_KEY) not in RELEASES:
            st.session_state[_KEY] = first
        st.session_state[_GROUP] = group.lasting
    _release().follow()


def whose(assignor: str) -> str:
    """Return whose release decides an assignor's answer: `brokers` or `clients`."""
    return (
        "brokers"
        if assignor in ASSIGNORS and ASSIGNORS[assignor].group_type != CLASSIC
        else "clients"
    )


def show_release(view: View, group: Opened, candidate: str) -> None:
    """Draw the chip with the group's leader, or else the answering release; it opens the choice of
    client and release.
    """
    of_brokers = listed(
        [
            name
            for name, assignor in ASSIGNORS.items()
            if whose(name) == "brokers" and assignor.is_in_kafka
        ],
        most=len(ASSIGNORS),
    )
    release = _release()
    text, help = _chip(view.observed, group, release.value)
    with st.popover(
        text, type="tertiary", icon=":material/hub:", help=help or None, key="scope-leader"
    ):
        label = "Release of the brokers" if whose(candidate) == "brokers" else "Leader"
        st.caption(label, help=_HELP.format(of_brokers), width="content")
        release.select("Client and release", width=200)


def _chip(observed: ObservedGroup, group: Opened, chosen: str) -> tuple[str, str]:
    """Return the words of the chip and their meaning."""
    if not (observed.is_classic and observed.snapshot.member_count):
        return f"Kafka {chosen}", ""
    words = observed.leader, possible_leaders(observed), group.client
    older = f" · {chosen}" if chosen in RELEASES and chosen != NEWEST else ""
    return f"{badge(*words)}{older}", meaning(*words)


def _release() -> Options:
    """Return the choice; other clients come before old releases: the list shows eight lines without
    scrolling.
    """
    names = (NEWEST, *(client for client in CLIENTS if client != JAVA), *RELEASES[1:])
    texts = {name: _shown(name) for name in names}
    return Options(_KEY, texts, _first(opened.current()), "client and release")


def _first(group: Opened | None) -> str:
    leader = answer_facts.leader(group) if group else JAVA
    return NEWEST if leader == JAVA else leader


def _shown(choice: str) -> str:
    return f"Java {choice}" if choice in RELEASES else shown(choice)


# `auto.offset.reset` of one group, assumed by a person if the input does not have it and it decides
# a lag. It is part of the address.


_RESET_GROUP = "reset-group"
_UNKNOWN = "unknown"
_RESET = Options("reset", (_UNKNOWN, "earliest", "latest"), _UNKNOWN, "auto.offset.reset")
_RESET_HELP = (
    "Kafka does not store this setting of the consumers, so no listing shows it. "
    "earliest: a partition without a commit is read from its begin offset. "
    "latest: from its end offset, its lag is 0. unknown: its lag is unknown."
)


def with_reset(group: Opened | None) -> Opened | None:
    """Return the group with the chosen policy."""
    if group is None or not _uncommitted(group):
        return group
    chosen = (
        st.session_state.get(_RESET.key)
        if st.session_state.get(_RESET_GROUP) == group.lasting
        else None
    )
    return group._replace(reset=None if chosen == _UNKNOWN else chosen)


def choose_first_reset(group: Opened | None) -> None:
    """Take the policy from the address before anything is drawn; forget another group's policy."""
    if group is None or not _uncommitted(group):
        return
    if st.session_state.get(_RESET_GROUP) != group.lasting:
        st.session_state.pop(_RESET.key, None)
        st.session_state[_RESET_GROUP] = group.lasting
    _RESET.follow()


def show_reset(group: Opened, line: DeltaGenerator) -> None:
    """Draw the choice in a line if it affects a lag."""
    number = _uncommitted(group)
    if not number:
        return
    with line.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        verb = "has" if number == 1 else "have"
        st.caption(
            f"{count(number, 'partition')} {verb} no commit. Assume `auto.offset.reset`",
            help=_RESET_HELP,
            width="content",
        )
        _RESET.show("auto.offset.reset")


def _uncommitted(group: Opened) -> int:
    """Count the partitions whose lag the policy decides."""
    return int(
        np.count_nonzero(decided_by_reset(view(group._replace(reset=None)).observed.snapshot))
    )
