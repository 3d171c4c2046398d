"""The page Rebalances of one group; the source is a log or a share."""

import streamlit as st

from evenkeel.dashboard.rebalances import causes, details, head, picture, source
from evenkeel.dashboard.rebalances.loading.shown import LogView
from evenkeel.dashboard.rebalances.source import Selection


def show(chosen: Selection, shown: LogView) -> None:
    """Draw the figures, the headline, the picture, the open rebalance and the table of causes."""
    head.show(shown)
    part = picture.choose(chosen, shown)
    left, right = st.columns([58, 42], gap="small")
    with left, st.container(gap="xsmall"):
        picture.show(shown, part)
    with right:
        details.show(chosen, shown, part)
    causes.show(shown, part)


def show_share(share_id: str, group: str) -> None:
    """Draw the rebalances of a group that are frozen in a share."""
    chosen = source.of_share(share_id, group)
    source.show(chosen, chosen.shown)
    show(chosen, chosen.shown)
