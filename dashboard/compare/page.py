"""What does each assignor answer for this group, and what is the load of each member?"""

import streamlit as st

from evenkeel.assignors.compare.facts import NO_FACTS
from evenkeel.dashboard.best.best_plan import BestPlan
from evenkeel.dashboard.compare import about_answers, assignor_table, head, members
from evenkeel.dashboard.parts import kpi_strip
from evenkeel.dashboard.parts.remarks import reasons
from evenkeel.dashboard.scope import gain, group_facts, open_group, scope
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.loading import answer_facts
from evenkeel.dashboard.shell.loading.views import change

group, view = open_group.require(
    "Assignors shows what each assignor would do with your group, next to the current assignment."
)
rows = view.comparison.rows
candidate = scope.candidate(view)

facts = answer_facts.facts(group)
why = reasons(view, facts)

switch = facts.get(candidate.name, NO_FACTS).switch
reassignment = group_facts.show_whether_to_reassign(group)
least_gain = gain.asked() if reassignment.may_help else None
kpi_strip.show(head.kpis(view, candidate, switch, least_gain))

assignor_table.show(view, candidate.name, facts, BestPlan.of(view.opened))
if not reassignment.not_reading:
    assignor_table.show_drain(view)

if problem.show_no_answer(candidate, view.client):
    members.show_current(view, rows[0])
    about_answers.show(group, view, candidate, facts, why)
    st.stop()
members.show_charts(view, rows[0], candidate)
members.show_picked(view, rows[0], candidate)
about_answers.show(group, view, candidate, facts, why)

st.subheader("Partitions of a member", anchor=members.ANCHOR)
member = members.choose(view)
members.show_partitions(view, change(group, rows[0].name, candidate.name), member, candidate.name)
members.show_table(view, rows[0], candidate)
gain.show()
st.caption(
    "Nothing in Kafka is ever changed: a live cluster gets describe, list and offset calls, and"
    " fetch calls only with record_timestamps."
)
