"""What is wrong with this group, who is behind, and what helps?"""

import streamlit as st

from evenkeel.dashboard.overview import acts, panel
from evenkeel.dashboard.overview.loading import overview
from evenkeel.dashboard.overview.tables import page_of
from evenkeel.dashboard.scope import choices, open_group, readings, snapshots

group = choices.group()
if group is None:
    open_group.show("Overview says what is wrong with your group, who is behind, and what helps.")
    st.stop()

seen = overview(group, snapshots.before(group))
acts.follow(group, seen.answer)
panel.show(page_of(seen), acts.ask, readings.ask_later)
