"""Why did the group rebalance: when, how long, who, and what would have avoided it."""

import streamlit as st

from evenkeel.dashboard.widgets.rebalances import causes, details, head, picture, source

chosen = source.require()
shown = chosen.shown
source.show(chosen, shown)
head.show(shown)
part = picture.choose(chosen, shown)

left, right = st.columns([58, 42], gap="small")
with left, st.container(gap="xsmall"):
    picture.show(shown, part)
with right:
    details.show(chosen, shown, part)
causes.show(shown)
