"""What a share holds, before it is made."""

from html import escape

import streamlit as st

from dashboard.loading.shares import Freezable
from dashboard.words.formats import count, exact
from data.scenarios.leader import client_of
from data.scenarios.scenario.scenario import Scenario
from data.words.leaders import answered_by


def show(what: Freezable) -> None:
    """Draw the list."""
    rows = "".join(f"<dt>{term}</dt><dd>{escape(said)}</dd>" for term, said in _facts(what))
    st.html(f'<b>What is inside</b><dl class="inside">{rows}</dl>')


def _answered_by(scenario: Scenario) -> str:
    is_classic = scenario.group.type in (None, "classic")
    return answered_by(client_of(scenario.group.leader, scenario.settings.client) if is_classic else None, scenario.settings.kafka_version)


def _facts(what: Freezable) -> list[tuple[str, str]]:
    scenario = what.scenario
    group, steps = scenario.group, scenario.steps
    topics, members = group.topics or [], group.members or []
    partitions = sum(topic.size for topic in topics)
    edits = [edit for step in steps for edit in step.edits]
    off = sum(edit.off for edit in edits)
    taken = f" as of {group.taken_at:%Y-%m-%d %H:%M:%S} UTC" if group.taken_at else ""
    assignors = len(scenario.settings.assignors or [])
    return [
        ("group", (group.group_id or "without a name") + taken),
        ("numbers", f"{count(partitions, 'partition')}, {count(len(topics), 'topic')}, {count(len(members), 'member')}"),
        ("steps", f"{exact(len(steps))}, with {count(len(edits) - off, 'edit')}" + (f"; {count(off, 'edit')} off" if off else "")),
        ("answers", f"{count(assignors, 'assignor')} × {count(len(steps) + 1, 'step')}"),
        ("settings", f"{_answered_by(scenario)}, engine {what.lines[0]['engine']}"),
        ("never", "credentials, broker addresses"),
    ]
