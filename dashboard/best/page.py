"""How good an assignment could be: the best plan for every number of moves with its proof, and the
right number of members.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.best import curve, head, plan
from evenkeel.dashboard.best.frontier import finding, finite_values, frontier
from evenkeel.dashboard.best.loading import Closing, hot_partition, rates_of, searched
from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.scope import group_facts, open_group
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.loading.views import figure


def _columns(has_picture: bool) -> tuple[DeltaGenerator | None, DeltaGenerator]:
    """Return the places of a picture and of the words beside it, which take all without one."""
    if not has_picture:
        return None, st.container()
    picture, words = st.columns([58, 42], gap="small")
    return picture, words


group, view = open_group.require(
    "Best shows the most even assignment of your group, and the gain of each move."
)
group_facts.show_diagnosis(group)
asked = head.show_limits(view, rates_of(group))
answers = searched(group, asked)
curve.wait(group, asked, answers)
found = answers["best"]
if isinstance(found, Closing) or found.result is None:
    if isinstance(found, Closing):
        head.show_closing(found, asked.objective)
    else:
        problem.show(found.error)
    st.stop()
best = found.result
shown = curve.shown(view, asked, best, answers["frontier"])
head.show(view, asked, best, shown)
head.show_beside(best, answers.get("other"))

# Without a finite value there is no curve: the sentence above says so.
picture, table = _columns(not shown or bool(finite_values(shown)))
if picture:
    with picture:
        if shown:
            place = curve.chosen(shown, best)
            plot.show(
                figure(view, [str(asked), str(place), str(best.value)], frontier, shown, place),
                "frontier",
                finding(shown, place),
                curve.pick,
            )
        elif isinstance(answers["frontier"], Closing):
            head.show_closing(answers["frontier"], asked.objective)
        else:
            problem.show(answers["frontier"].error or "No point of the curve was found in time.")
with table:
    plan.show(view, asked, best, shown, bool(hot_partition(best)))
    plan.show_take(view, asked, best)

if "size" in answers:
    picture, words = _columns(curve.has_size(answers["size"]))
    if picture:
        with picture:
            curve.show_sizes(view, asked, best, answers["size"])
    with words:
        curve.show_size_sentence(view, asked, answers["size"])
st.caption(
    f"Nothing in Kafka is ever changed: a plan is a file until your assignor uses it. This page: {curve.effort(answers)}."
)
