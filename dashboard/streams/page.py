"""Which instance runs each task of a Streams application? Which copies warm up? When is it
balanced?
"""

import streamlit as st

from evenkeel.dashboard.parts import kpi_strip
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.loading.applications import answered
from evenkeel.dashboard.steps import state
from evenkeel.dashboard.streams import alternatives, kpis, readings, rounds, scope_line, what_if

application = readings.with_rate(readings.with_earlier(scope_line.require()))
chosen = scope_line.choose_first(application)
state.follow(what_if.subject(application))
view = what_if.view_at(application, chosen)
answer = answered(view, chosen)
scope_line.show(view, answer)
readings.show_problems(application)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    readings.show(application, view.document.taken_at)
    readings.show_rate(application)
state.show_refused()
what_if.show(application, chosen)
if answer.task_rounds is None:
    problem.show(
        f"{chosen}: Kafka's own class throws {answer.error and answer.error.java_class} on this"
        f" application: {answer.error}"
    )
    st.stop()

task_rounds, settings = answer.task_rounds, answer.assignor
kpi_strip.show(kpis.kpis(view, task_rounds, settings))
number = rounds.choose(view, task_rounds, settings.probing_rebalance_interval_ms / 1000)
left, right = st.columns([64, 36], gap="small")
with left, st.container(gap="xsmall"):
    rounds.show_holders(view, task_rounds, number, settings)
    rounds.show_why(view, task_rounds, number, settings)
with right, st.container(gap="xsmall"):
    rounds.show_roles(view, task_rounds, number)
    alternatives.show_grid(view, answer)
    views = alternatives.views(application)
    alternatives.show_downtimes(alternatives.downtimes(views), chosen)
    kpis.show_caveats(view, task_rounds, settings)
    rounds.show_awaited(views)
