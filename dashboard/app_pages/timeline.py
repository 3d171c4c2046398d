"""How a group has done over time: who lagged when, what happened, and when it is drained."""

import streamlit as st

from dashboard.loading.history.timelines import timeline
from dashboard.widgets.history import event_list, kpis, moments_table, open_history, picture, scope_line, time_range
from dashboard.widgets.parts import kpi_strip

group = open_history.require()
top = st.container(gap="xsmall")
hours = time_range.choose()
shown = timeline(group, hours)
with top:
    scope_line.show(group.group_id, shown)
if shown is None:
    open_history.stop_without()

with top:
    kpi_strip.show(kpis.kpis(shown))
since = moments_table.first(shown)
left, right = st.columns([75.5, 24.5], gap="small")
with left:
    picture.show(shown)
with right, st.container(gap="xsmall"):
    moments_table.show(group, shown, since)
    event_list.show(shown.events, since, moments_table.pick)
