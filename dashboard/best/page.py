"""How good an assignment could be: the best plan for every number of moves with its proof, and the
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
asked = head.show_limits(view, rates_of(group), reassignment.is_uneven)
answers = searched(group, asked)
curve.wait(group, asked, answers)
found = answers["best"]
if isinstance(found, Closing):
    st.stop()
if found.result is None:
    problem.show(found.error)
    st.stop()
best = found.result
shown = curve.shown(view, asked, best, answers["frontier"])
head.show(view, asked, best, shown, reassignment)
head.show_beside(best, answers.get("other"), reassignment)

has_curve = not reassignment.not_reading and (not shown or bool(finite_values(shown)))
picture, table = curve.columns(has_curve)
if picture:
    with picture:
        curve.show_frontier(view, asked, best, shown, answers["frontier"])
with table:
    plan.show(view, asked, best, shown, bool(hot_partition(best)))
    plan.show_take(view, asked, best)

if "size" in answers:
    picture, words = curve.columns(curve.has_size(answers["size"]))
    if picture:
        with picture:
            curve.show_sizes(view, asked, best, answers["size"])
    with words:
        curve.show_size_sentence(view, asked, answers["size"])
st.caption("Nothing in Kafka is ever changed: a plan is a file until your assignor uses it.")
