"""Which partitions change owner if the group switches assignor, at once or step by step?"""

import streamlit as st

from evenkeel.assignors.protocol import CURRENT
from evenkeel.dashboard.best import plan
from evenkeel.dashboard.moves import body, owner_changes
from evenkeel.dashboard.parts import kpi_strip
from evenkeel.dashboard.scope import group_facts, open_group, scope, snapshots
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.loading import answer_facts, views

group, view = open_group.require(
    "Moves shows which partitions change owner when the group switches assignor, and how much lag"
    " they have."
)
answers = view.comparison.rows
candidate = scope.candidate(view)

problem.require_owners(view)
problem.require_answer(candidate, view.client)

group_facts.show_whether_to_reassign(group)
top = st.container()
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    strip = st.container()
    stops = body.choose_stops(answers, candidate.name)
    facts, switches = answer_facts.facts(group), answer_facts.switches(group)
    group, view, planned = plan.choose(group, view)
    group, view, in_time = (group, view, []) if planned else snapshots.choose(group, view)
    answers, stops = view.comparison.rows, in_time or planned or stops
with strip:
    body.show_chain(group, answers, stops, switches)
before, after = body.choose_step(stops)
change = views.change(group, before, after)
# The rounds of a step are unknown if it starts from another assignor's answer.
way = switches.get(after) if before == CURRENT else None
with top:
    kpi_strip.show(body.kpis(view, change, after, way, has_happened=bool(in_time)))
    body.show_first_round(view, [row for row in answers if row.name in (before, after)], facts)

if not len(change.moves.lag):
    st.info(
        f"No partition has changed owner since {before}."
        if in_time
        else f"{after} assigns every partition to the same member as {before}."
    )
else:
    owner_changes.show_charts(view, change, (before, after))
owner_changes.show_rows(view, change, before, after, None if in_time else plan.decider(view, after))
st.caption(
    "Nothing in Kafka is ever changed: a live cluster gets describe, list and offset calls, and"
    " fetch calls only with record_timestamps."
)
