"""Share: copy a link to this view, freeze it, or take it along as a report."""

from collections.abc import Sequence

import streamlit as st

from dashboard.view import Opened
from dashboard.widgets.shares import freeze_dialog, report_files
from data.scenarios.scenario.scenario import Step

_LINK = """<button class="copy-link" type="button" onclick="navigator.clipboard.writeText(location.href).then(() => { this.lastElementChild.textContent = 'Link copied' })">
<span>Copy link</span><small>This view as it is; who opens it needs access to this Evenkeel.</small></button>"""


def show(group: Opened, steps: Sequence[Step], step: int, candidate: str) -> None:
    """Draw the menu; `steps`: none on a page without them, `step`: the one that is shown."""
    with st.popover("Share", icon=":material/share:", width="content", key="share-menu", on_change="rerun") as menu:
        if not menu.open:
            return
        st.html(f"<div>{_LINK}</div>", unsafe_allow_javascript=True)
        if st.button("Freeze and share …", key="freeze", icon=":material/ac_unit:", width="stretch"):
            freeze_dialog.show(group, steps)
        report_files.show(group, steps, step, candidate)
