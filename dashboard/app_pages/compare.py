"""What every assignor would do with this group, and who would carry what."""

import streamlit as st

from dashboard import loading
from dashboard.charts import frame
from dashboard.charts.fit_scatter import fit_scatter
from dashboard.charts.fits import finding, fit_of
from dashboard.remarks import remarks
from dashboard.widgets import (
    assignor_table,
    chart_tables,
    compare_kpis,
    kpi_strip,
    member_charts,
    member_partitions,
    member_picker,
    nothing_open,
    pauses,
    problem,
    remarks_list,
    scope,
)

group, view = nothing_open.require("Compare shows what each assignor would do with your group, beside what it has now.")
rows = view.comparison.rows
candidate = scope.candidate(view)

kpi_strip.show(compare_kpis.kpis(view, candidate))

fits = [fit_of(row) for row in rows]
table, scatter = st.columns([64, 36], gap="small")
with table:
    assignor_table.show(rows, view.comparison.group.tp_count, candidate.name)
with scatter:
    st.plotly_chart(fit_scatter(fits, candidate.name), key="fit", config=frame.CONFIG, alt=finding(fits, candidate.name))

facts = loading.facts(group)
if candidate.error:
    remarks_list.show(remarks(view, facts), candidate.name)
problem.require_answer(candidate)
member_charts.show(view, rows[0], candidate)

change = loading.change(group, rows[0].name, candidate.name)
switch, answers = st.columns([38, 62], gap="medium")
with switch:
    pauses.show(view, candidate, facts[candidate.name].switch, change)
with answers:
    remarks_list.show(remarks(view, facts), candidate.name)

st.subheader("Partitions of a member", anchor=False)
member = member_picker.show(view)
member_partitions.show(view, change, member)
chart_tables.show(view, rows[0], candidate, fits)
st.caption("Nothing on this page is sent to Kafka.")
