"""The reader's choices for the open group: client, release and `auto.offset.reset`."""

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
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.client_words import badge, meaning, shown
from evenkeel.data.scenarios.leaders import possible_leaders
from evenkeel.data.text.formats import count, listed


def choose_first() -> None:
    """Read the choices from the address, before the page draws anything."""
    gain.choose_first()
    choose_first_release(opened.current())
    choose_first_reset(with_release(opened.current()))


def group() -> OpenGroup | None:
    """Return the open group with the reader's choices."""
    return with_reset(with_release(opened.current()))


# Client and release whose assignors are computed. Brokers run their assignors in their own release;
# the leader runs the clients' assignors in the client's release. The choice is part of the address.


_KEY, _GROUP = "kafka", "kafka-group"
_HELP = (
    "A classic group is assigned by its leader, with the leader's own client code. Choose the"
    " client and the release of your group's leader. {} run in the brokers, with the Kafka"
    " release that you choose; if the client is not Java, with the newest release. A release"
    " between two listed releases behaves like the older release. To see what an upgrade moves,"
    " choose the release that you run."
)


def with_release(group: OpenGroup | None) -> OpenGroup | None:
    """Return the group with the chosen client and release."""
    if group is None:
        return None
    chosen, leader = st.session_state.get(_KEY, NEWEST), answer_facts.leader(group)
    client, kafka = (JAVA, chosen) if chosen in RELEASES else (chosen, NEWEST)
    return group._replace(kafka=kafka, client=None if client == leader else client)


def choose_first_release(group: OpenGroup | None) -> None:
    """Read the release from the address, before the page draws anything.

    Without a choice: the client of the group's leader.
    """
    first = _first(group)
    if group and st.session_state.get(_GROUP) != group.lasting:
        if first != NEWEST or st.session_state.get(_KEY) not in RELEASES:
            st.session_state[_KEY] = first
        st.session_state[_GROUP] = group.lasting
    _release().follow()


def whose(assignor: str) -> str:
    """Return `brokers` or `clients`: the side that computes an assignor's answer."""
    return (
        "brokers"
        if assignor in ASSIGNORS and ASSIGNORS[assignor].group_type != CLASSIC
        else "clients"
    )


def show_release(view: View, group: OpenGroup, candidate: str) -> None:
    """Draw a chip with the leader's client, or with the chosen release if the leader is unknown.

    A click on the chip opens the choice of client and release.
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


def _chip(observed: ObservedGroup, group: OpenGroup, chosen: str) -> tuple[str, str]:
    """Return the text of the chip and its help text."""
    if not (observed.is_classic and observed.snapshot.member_count):
        return f"Kafka {chosen}", ""
    words = observed.leader, possible_leaders(observed), group.client
    older = f" · {chosen}" if chosen in RELEASES and chosen != NEWEST else ""
    return f"{badge(*words)}{older}", meaning(*words)


def _release() -> Options:
    """Return the select box of clients and releases.

    The list shows only eight lines without scrolling, so other clients come before old releases.
    """
    names = (NEWEST, *(client for client in CLIENTS if client != JAVA), *RELEASES[1:])
    texts = {name: _shown(name) for name in names}
    return Options(_KEY, texts, _first(opened.current()), "client and release")


def _first(group: OpenGroup | None) -> str:
    leader = answer_facts.leader(group) if group else JAVA
    return NEWEST if leader == JAVA else leader


def _shown(choice: str) -> str:
    return f"Java {choice}" if choice in RELEASES else shown(choice)


# The group's `auto.offset.reset`, if the input does not have it and it affects a lag. A person
# assumes its value. The value is part of the address.


_RESET_GROUP = "reset-group"
_UNKNOWN = "unknown"
_RESET = Options("reset", (_UNKNOWN, "earliest", "latest"), _UNKNOWN, "auto.offset.reset")
_RESET_HELP = (
    "Kafka does not store this consumer setting, so no listing shows it. earliest: a partition"
    " without a commit is read from its begin offset. latest: such a partition is read from its"
    " end offset, so its lag is 0. unknown: the partition's lag is unknown."
)


def with_reset(group: OpenGroup | None) -> OpenGroup | None:
    """Return the group with the chosen value of `auto.offset.reset`."""
    if group is None or not _uncommitted(group):
        return group
    chosen = (
        st.session_state.get(_RESET.key)
        if st.session_state.get(_RESET_GROUP) == group.lasting
        else None
    )
    return group._replace(reset=None if chosen == _UNKNOWN else chosen)


def choose_first_reset(group: OpenGroup | None) -> None:
    """Read `auto.offset.reset` from the address, before the page draws anything.

    A value chosen for another group is removed.
    """
    if group is None or not _uncommitted(group):
        return
    if st.session_state.get(_RESET_GROUP) != group.lasting:
        st.session_state.pop(_RESET.key, None)
        st.session_state[_RESET_GROUP] = group.lasting
    _RESET.follow()


def show_reset(group: OpenGroup, line: DeltaGenerator) -> None:
    """Draw the choice of `auto.offset.reset` in one line, if the lag of a partition depends on
    it.
    """
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


def _uncommitted(group: OpenGroup) -> int:
    """Return the number of partitions whose lag depends on `auto.offset.reset`."""
    return int(
        np.count_nonzero(decided_by_reset(view(group._replace(reset=None)).observed.snapshot))
    )
