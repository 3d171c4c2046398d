"""How good can an assignment be? The best plan for every number of moves with its proof, and the
right number of members.
"""

import streamlit as st

from evenkeel.dashboard.best import curve, head, plan
from evenkeel.dashboard.best.loading import Closing, hot_partition, rates_of, searched
from evenkeel.dashboard.best.plans import finite_values
from evenkeel.dashboard.scope import group_facts, open_group
from evenkeel.dashboard.shell import problem

group, view = open_group.require(
    "Best shows the most even assignment of your group, and the gain of each move."
)
reassignment = group_facts.show_whether_to_reassign(group)
plan_choice = head.show_limits(view, rates_of(group), reassignment.is_uneven)
answers = searched(group, plan_choice)
curve.wait(group, plan_choice, answers)
search = answers["best"]
if isinstance(search, Closing):
    st.stop()
if search.result is None:
    problem.show(search.error)
    st.stop()
best = search.result
shown = curve.shown(view, plan_choice, best, answers["frontier"])
head.show(view, plan_choice, best, shown, reassignment)
head.show_beside(best, answers.get("other"), reassignment)

has_curve = not reassignment.not_reading and (not shown or bool(finite_values(shown)))
picture, table = curve.columns(has_curve)
if picture:
    with picture:
        curve.show_frontier(view, plan_choice, best, shown, answers["frontier"])
with table:
    plan.show(view, plan_choice, best, shown, bool(hot_partition(best)))
    plan.show_take(view, plan_choice, best)

if "size" in answers:
    picture, words = curve.columns(curve.has_size(answers["size"]))
    if picture:
        with picture:
            curve.show_sizes(view, plan_choice, best, answers["size"])
    with words:
        curve.show_size_sentence(view, plan_choice, answers["size"])
st.caption("Nothing in Kafka is ever changed: a plan is a file until your assignor uses it.")
