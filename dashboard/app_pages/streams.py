"""Which instance of a Kafka Streams application runs which task, who warms up, and when it is balanced."""

import streamlit as st

from evenkeel.dashboard.loading.applications import answered
from evenkeel.dashboard.widgets.parts import kpi_strip, problem
from evenkeel.dashboard.widgets.steps.editing import state
from evenkeel.dashboard.widgets.streams import assumed_rate, caveats, kpis, live_line, measured_since, open_application, scope_line, what_if
from evenkeel.dashboard.widgets.streams.alternatives import downtime_table, settings_grid, side_by_side
from evenkeel.dashboard.widgets.streams.rounds import awaited_rounds, holders, roles, round_choice

application = assumed_rate.asked(measured_since.asked(open_application.require()))
chosen = scope_line.choose_first(application)
state.follow(what_if.subject(application))
view = what_if.view_at(application, chosen)
answer = answered(view, chosen)
scope_line.show(view, answer)
live_line.show_problems(application)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    live_line.show(application, view.document.taken_at)
    assumed_rate.show(application)
state.show_refused()
what_if.show(application, chosen)
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
    views = side_by_side.views(application)
    downtime_table.show(side_by_side.rows(views), chosen)
    caveats.show(view, found, settings)
    awaited_rounds.show(views)
