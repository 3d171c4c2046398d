"""Which partitions change owner if the group switches assignor, at once or step by step."""

import streamlit as st

from dashboard import loading
from dashboard.widgets import (
    chain,
    kpi_strip,
    moves_charts,
    moves_kpis,
    moves_list,
    nothing_open,
    opened,
    scope,
)

group = opened.current()
if group is None:
    nothing_open.show("Moves shows which partitions change owner when the group switches assignor, and how much lag goes along.")
    st.stop()

view = loading.view(group)
rows = view.comparison.rows
candidate = scope.candidate(view)

if not view.names:
    st.info("This input names no members, so nothing can change owner. Add the output of --describe of the running group, or of --describe --members.")
    st.stop()
if candidate.error:
    st.error(f"{candidate.name}: Kafka's own class throws {candidate.error.java_class} on this group: {candidate.error}")
    st.stop()

kpis = st.container()
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    strip = st.container()
    stops = chain.choose(rows, candidate.name)
with strip:
    chain.show(group, rows, stops)
before, after = chain.choose_step(stops)
change = loading.change(group, before, after)
with kpis:
    kpi_strip.show(moves_kpis.kpis(view, change))

if not len(change.moves.lag):
    st.info(f"{after} keeps every partition where {before} has it.")
else:
    moves_charts.show(view, change, (before, after))
moves_list.show(view, change, f"moves-{before}-to-{after}.csv")
st.caption("Nothing on this page is sent to Kafka.")
