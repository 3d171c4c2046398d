"""The choice between several groups of an upload: a table of groups, the one furthest behind first."""

import streamlit as st

from evenkeel.dashboard.loading import Import
from evenkeel.dashboard.tables.group_listing import PAGE
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import opened
from evenkeel.dashboard.widgets.parts import address, group_table
from evenkeel.dashboard.widgets.parts.group_table import choices

_PICKED = "upload-picked"


def show(found: Import) -> tuple[Opened, bool]:
    """Return the chosen group, and whether it was picked in this run; a single group needs no choice."""
    groups, picked = found.groups, st.session_state.pop(_PICKED, None)
    place = groups.place_of(opened.current()) if opened.current() else None
    if (chosen := address.whole(picked, len(groups) - 1)) is not None:
        place = chosen
    if len(groups) > 1:
        table = f"groups-{found.manifest.batch}"
        choices.follow(table)
        group_table.show(groups.table, table, id_column="place", pick=_pick, current=str(place or 0), folds=len(groups) > PAGE)
    return groups.opened(place or 0), picked is not None


def _pick(place: str) -> None:
    st.session_state[_PICKED] = place
