"""What is wrong with this group, which members have the most lag, and what helps?"""

from functools import partial

import streamlit as st

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.dashboard.best.best_plan import BestPlan
from evenkeel.dashboard.overview import acts, panel
from evenkeel.dashboard.overview.loading import overview
from evenkeel.dashboard.overview.tables import page_of
from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.scope import choices, gain, open_group, readings, snapshots
from evenkeel.dashboard.shell.loading.diagnoses import diagnosis

group = choices.group()
if group is None:
    open_group.show(
        "Overview says what is wrong with your group, which members lag most, and what helps."
    )
    st.stop()

acts.read_again(group)
before = snapshots.earlier(group)
answer = diagnosis(group, before=before, gain=gain.asked())
plan = BestPlan.of(group) if answer.code == Code.UNEVEN else None
seen = overview(group, answer, plan)
acts.follow(group, seen.answer)
drawn = page_of(seen)
readings.show(group, has_button=not drawn["what"]["later"])
panel.show(drawn, acts.ask, partial(acts.ask_later, group))
plot.load_ahead()
if plan:
    plan.wait()
