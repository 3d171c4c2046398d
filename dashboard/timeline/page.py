"""History of a group: lag by member, events, and the time to drain."""

from functools import partial

import streamlit as st

from evenkeel.dashboard.parts import kpi_strip
from evenkeel.dashboard.scope import group_facts, readings, tabs
from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shell.loading.readings import whole_range
from evenkeel.dashboard.timeline import event_list, head, moments, open_history, picture, time_range
from evenkeel.dashboard.timeline.loading.timelines import timeline
from evenkeel.dashboard.timeline.loading.two_moments import two_moments
from evenkeel.dashboard.timeline.marks import with_marks

group = open_history.require()
top = st.container(gap="xsmall")
if whole_range(group) is None:
    with top:
        head.show(group, None)
        tabs.show()
        readings.show(group)
    open_history.stop_without_any()

left, right = st.columns([75.5, 24.5], gap="small")
with left, st.container(gap="xsmall"):
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small", key="range-bar")
    time_range.choose(bar)
    chosen = time_range.chosen(group)
    below = st.container()
shown = timeline(group, chosen.since, chosen.until) if chosen else None
with top:
    head.show(group, shown, partial(menu.show_link, time_range.link_hint()))
    tabs.show()
    readings.show(group)
if shown is None:
    with bar:
        picture.show_overview(group, chosen)
    open_history.stop_without(chosen)

with top, st.container(key="timeline-kpis"):
    group_facts.show_diagnosis(group)
    kpi_strip.show(head.kpis(shown))
at = moments.choose(shown)
pair = two_moments(group, *at)
with below:
    picture.show(group, shown, pair.time if pair else ())
with right, st.container(gap="xsmall"):
    moments.show_table(group, pair)
    event_list.show(with_marks(group, shown), at, moments.pick)
# Last, because for slots that are not yet in an hourly file it reads files that no other part
# needs.
with bar:
    picture.show_overview(group, chosen)
