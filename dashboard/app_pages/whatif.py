"""What would happen if: members that stop or join, topics that grow, one rebalance after the other."""

import streamlit as st

from evenkeel.dashboard.widgets.edits import all_steps, restart_costs, ribbon, runs, shown_step, steps
from evenkeel.dashboard.widgets.scope import open_group, scope
from evenkeel.dashboard.widgets.steps.editing import scenario_choice, state, step_list

group, view = open_group.require(
    "What-if shows what happens when members stop or join, topics grow or lag rises, step by step, without touching Kafka.",
    may_be_empty=True,
)
candidate = scope.candidate(view)
ribbon.show(group, view)
subject = steps.what_if(group)
state.show_refused()

place = state.current(subject).place
run = runs.run(group, view, place.steps, candidate.name)

left, right = st.columns([27, 73], gap="small")
with left, st.container(gap="xsmall"):
    scenario_choice.show(subject)
    step_list.show(subject, steps.GroupSteps(group, run))
with right, st.container(gap="xsmall"):
    if all_steps.is_side_by_side(place):
        all_steps.show_side_by_side(group, place, candidate.name, run.used)
        st.stop()
    times = runs.times(group, view, run)
    figures = all_steps.figures(group, view, run, times)
    all_steps.show_strip(group, run, figures, place.step)
    is_known = shown_step.show_heading(group, run, place.step)
    all_steps.show_advice(group, view, run, times, place.step)
    all_steps.show_table(view, run, figures, place.step)
    runs.show_waiting(group, view, run, times)
    if is_known:
        all_steps.show_charts(group, run, figures, place.step)
        shown_step.show_actions(group, run, place.step)
if is_known:
    shown_step.show_moves(group, run, place.step)
    restart_costs.show(group, run, place.step)
