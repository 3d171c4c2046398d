"""Which groups of a cluster can move to the consumer protocol (KIP-848), which partitions move, and
in which order?
"""

import streamlit as st

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.readiness import head, listing
from evenkeel.dashboard.readiness.loading import COOPERATIVE, eager
from evenkeel.dashboard.readiness.words import Counts
from evenkeel.dashboard.scope import choose_cluster
from evenkeel.dashboard.shell import by_link, opened, problem

is_linked = by_link.follow_listing()
if not head.has_source():
    st.html('<h1 class="scope-title">Readiness</h1>')
    head.show_without()
    st.stop()

with st.container(horizontal=True, vertical_alignment="center", gap="small", key="scope"):
    st.html('<h1 class="scope-title">Readiness</h1>', width="content")
    facts = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
    st.space("stretch")
    cluster = choose_cluster.show(
        has_opened=opened.current() is not None, asks_for_opened=is_linked
    )
    by_link.show_listing(opened.current() if cluster is None else None)
    tools = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")

known, plan = head.known(), head.plan()
if (wrong := head.check(known)) is not None:
    problem.show(wrong)
    known = type(known)()
with st.spinner("Reading the groups …"):
    readiness = head.read(cluster, known)
cluster = head.asked(cluster)
groups = eager(readiness) if plan == COOPERATIVE else readiness.groups
counts = Counts.of(groups)
with facts:
    head.show_facts(readiness)
with tools:
    head.show_known(readiness)
    head.show_take(cluster, groups)
for text in readiness.problems:
    st.warning(literal(f"Cannot be seen: {text}"))

head.show_numbers(cluster, readiness, known)
head.show_releases(readiness)
search, verdict = head.show_filters(
    counts, len(groups) if plan == COOPERATIVE else len(eager(readiness))
)
listing.show(cluster, readiness, groups, plan, search, verdict)
head.show_foot(cluster, counts)
