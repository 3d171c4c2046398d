"""Of how many partitions the owners are drawn: of few, so that all panels fit a screen, or of more."""

import streamlit as st

from evenkeel.dashboard.loading.history.timelines import Owned, Timeline
from evenkeel.dashboard.widgets.parts import address

_KEY = "owners"
_FEW, _MANY = "few", "many"


def chosen(shown: Timeline) -> Owned:
    """Return what is drawn."""
    address.follow(_KEY, (_FEW, _MANY), _FEW, "number of owners")
    return shown.owned[-1 if st.session_state[_KEY] == _MANY else 0]


def choose(shown: Timeline) -> None:
    """Draw the choice, after `chosen`; nothing where there is none."""
    now = st.session_state[_KEY]
    if len(shown.owned) > 1:
        few, many = (len(one.partitions) for one in shown.owned)
        more = f"all {many}" if many == shown.partition_count else f"the {many} worst"
        label = f"Owners of {more} partitions" if now == _FEW else f"Owners of the {few} worst partitions alone"
        icon = ":material/unfold_more:" if now == _FEW else ":material/unfold_less:"
        st.button(label, icon=icon, type="tertiary", key="owners-button", on_click=_turn)
    address.show(owners=_MANY if now == _MANY else None)
    address.show_refused(_KEY)


def _turn() -> None:
    st.session_state[_KEY] = _FEW if st.session_state[_KEY] == _MANY else _MANY
    address.chosen(_KEY)
