"""What happens if members stop or join or topics grow, one rebalance after the other."""

import streamlit as st

from evenkeel.dashboard.scope import open_group, scope
from evenkeel.dashboard.steps import state, step_list
from evenkeel.dashboard.whatif import answers, effects, restart_costs, runs

group, view = open_group.require(
    "What-if shows what happens when members stop or join, topics grow or lag rises, step by step,"
    " without touching Kafka.",
    may_be_empty=True,
)
candidate = scope.candidate(view)
runs.show_ribbon(group, view)
subject = effects.what_if(group)
state.show_refused()

place = state.current(subject).place
run = runs.run(group, view, place.steps, candidate.name)

left, right = st.columns([27, 73], gap="small")
with left, st.container(gap="xsmall"):
    step_list.choose_scenario(subject)
    step_list.show(subject, effects.GroupSteps(group, run))
with right, st.container(gap="xsmall"):
    if answers.is_side_by_side(place):
        answers.show_side_by_side(group, place, candidate.name, run.used)
        st.stop()
    times = runs.times(group, view, run)
    figures = answers.figures(group, view, run, times)
    answers.show_strip(group, run, figures, place.step)
    if answers.show_without_members(group, view, run, place.step):
        st.stop()
    is_known = answers.show_heading(group, run, place.step)
    answers.show_advice(group, view, run, place.step)
    answers.show_table(view, run, figures, place.step)
    runs.show_waiting(group, view, run, times)
    if is_known:
        answers.show_charts(group, run, figures, place.step)
        answers.show_actions(group, run, place.step)
if is_known:
    answers.show_moves(group, run, place.step)
    restart_costs.show(group, run, place.step)
