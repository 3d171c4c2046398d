"""`auto.offset.reset` of one group, assumed by a person where the input does not say it and it decides a lag.

It stands in the address.
"""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors.group.lag import decided_by_reset
from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import address, linked_choice
from evenkeel.data.words.formats import count

_KEY, _GROUP = "reset", "reset-group"
_UNKNOWN = "unknown"
_POLICIES = (_UNKNOWN, "earliest", "latest")
_HELP = (
    "Kafka does not store this setting of the consumers, so no listing shows it. "
    "earliest: a partition without a commit is read from its begin offset. "
    "latest: from its end offset, its lag is 0. unknown: its lag is unknown."
)


def asked(group: Opened | None) -> Opened | None:
    """Return the group as the chosen policy answers it."""
    if group is None or not _uncommitted(group):
        return group
    chosen = st.session_state.get(_KEY) if st.session_state.get(_GROUP) == group.lasting else None
    return group._replace(reset=None if chosen == _UNKNOWN else chosen)


def choose_first(group: Opened | None) -> None:
    """Take the policy of the address before anything is drawn; a policy that was chosen for another group is forgotten."""
    if group is None or not _uncommitted(group):
        return
    if st.session_state.get(_GROUP) != group.lasting:
        st.session_state.pop(_KEY, None)
        st.session_state[_GROUP] = group.lasting
    address.follow(_KEY, _POLICIES, _UNKNOWN, "auto.offset.reset")


def show(group: Opened, line: DeltaGenerator) -> None:
    """Draw the choice into a line where it decides a lag."""
    number = _uncommitted(group)
    if not number:
        return
    with line.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        verb = "has" if number == 1 else "have"
        st.caption(f"{count(number, 'partition')} {verb} no commit. Assume `auto.offset.reset`", help=_HELP, width="content")
        chosen = linked_choice.show("auto.offset.reset", {policy: policy for policy in _POLICIES}, _KEY)
    address.show(reset=None if chosen == _UNKNOWN else chosen)
    address.show_refused(_KEY)


def _uncommitted(group: Opened) -> int:
    """Count the partitions whose lag the policy decides."""
    return int(np.count_nonzero(decided_by_reset(loading.view(group._replace(reset=None)).observed.snapshot)))
