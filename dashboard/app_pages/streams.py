"""Which instance of a Kafka Streams application runs which task, who warms up, and when it is balanced."""

import streamlit as st

from dashboard.loading.streams.probing import answered
from dashboard.widgets.parts import kpi_strip, problem
from dashboard.widgets.streams import (
    awaited_rounds,
    before_kip_441,
    holders,
    kpis,
    open_application,
    roles,
    round_choice,
    scope_line,
    settings_grid,
    side_by_side,
)

view = open_application.require()
chosen = scope_line.choose_first(view)
answer = answered(view, chosen)
scope_line.show(view, answer)
if answer.found is None:
    problem.show(f"{chosen}: Kafka's own class throws {answer.error.java_class} on this application: {answer.error}")
    st.stop()

found, settings = answer.found, answer.assignor
kpi_strip.show(kpis.kpis(view, found, settings))
number = round_choice.choose(view, found, settings.probing_rebalance_interval_ms / 1000)
left, right = st.columns([64, 36], gap="small")
with left, st.container(gap="xsmall"):
    holders.show(view, found, number, settings)
with right, st.container(gap="xsmall"):
    roles.show(view, found, number)
    settings_grid.show(view, answer)
    compared = side_by_side.rows(view)
    before_kip_441.show(compared, chosen)
    awaited_rounds.show(view, [row.name for row in compared])
