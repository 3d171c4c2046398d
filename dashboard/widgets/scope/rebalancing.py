"""A listing that was printed in the middle of a rebalance."""

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.words.names import literal


def show(group: Opened) -> None:
    """Draw a warning where the listing says that the group is rebalancing."""
    if loading.is_rebalancing(group):
        name = literal(group.group_id or group.source_file or "The group")
        st.warning(
            f"**{name} was rebalancing when this was printed.** Some partitions may show no owner, "
            "or an owner that has already given them up. "
            "Print the listing again once `--describe --state` says Stable.",
            icon=":material/sync_problem:",
        )
