"""The ribbon of What-if: nothing is sent to Kafka, and what the simulation starts from."""

from html import escape

import streamlit as st

from evenkeel.assignors import JAVA
from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.words.times import local, zone
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.words.clients import answers_of
from evenkeel.data.words.formats import count


def show(group: Opened, view: View) -> None:
    """Draw the ribbon; it stays in sight while the page scrolls."""
    observed = view.observed
    name = observed.group_id or group.source_file or "unnamed group"
    facts = [f"Based on {name}{_as_of(group, observed)}."]
    facts += [f"Protocol in use: {observed.assignor}."] if observed.assignor else []
    facts += [answers_of(view.client)] if observed.is_classic and view.client != JAVA else []
    facts += _changed_since(group, observed)
    with st.container(key="ribbon"):
        st.html(f'<p class="ribbon"><b>Simulation – nothing is sent to Kafka</b> {escape(" ".join(facts))}</p>')


def _as_of(group: Opened, observed: ObservedGroup) -> str:
    time = observed.taken_at or (loading.imported(group.batch).manifest.ingested_at if group.batch else None)
    read = "as of" if observed.taken_at else "read at"
    return f" {read} {local(time):%H:%M:%S} {zone(time)}" if time else ", a worked example" if group.slug else ""


def _changed_since(group: Opened, observed: ObservedGroup) -> list[str]:
    """Compare with the last list of the cluster's groups, where a page has read one."""
    now = loading.members_now(group)
    if now is None or observed.member_count is None or now == observed.member_count:
        return []
    word = "joined" if now > observed.member_count else "left"
    return [f"The live group has changed since: {count(abs(now - observed.member_count), 'member')} {word}. Read again for a new base."]
