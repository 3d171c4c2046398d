"""What a share holds, before it is made."""

from html import escape

import streamlit as st

from evenkeel.dashboard.loading.shares import Freezable
from evenkeel.data.scenarios.leaders import client_of
from evenkeel.data.scenarios.scenario.scenario import Scenario
from evenkeel.data.words.clients import answered_by
from evenkeel.data.words.formats import count, exact

_NEVER = ("never", "credentials, broker addresses")


def show(facts: list[tuple[str, str]]) -> None:
    """Draw the list."""
    rows = "".join(f"<dt>{term}</dt><dd>{escape(said)}</dd>" for term, said in facts)
    st.html(f'<b>What is inside</b><dl class="inside">{rows}</dl>')


def of_group(what: Freezable) -> list[tuple[str, str]]:
    """Return what a scenario of a group holds."""
    scenario, group = what.scenario, what.scenario.group
    topics, members = group.topics or [], group.members or []
    partitions = sum(topic.size for topic in topics)
    return [
        ("group", _named(group.group_id, group.taken_at)),
        ("numbers", f"{count(partitions, 'partition')}, {count(len(topics), 'topic')}, {count(len(members), 'member')}"),
        *_steps(what),
        ("settings", f"{_answered_by(scenario)}, engine {what.lines[0]['engine']}"),
        _NEVER,
    ]


def of_application(what: Freezable) -> list[tuple[str, str]]:
    """Return what a scenario of an application holds."""
    application = what.scenario.group
    tasks, processes = application.tasks or [], application.processes or []
    return [
        ("application", _named(application.application_id, application.taken_at)),
        ("numbers", f"{count(len(tasks), 'task')}, {count(len(processes), 'instance')}"),
        *_steps(what),
        ("engine", what.lines[0]["engine"]),
        _NEVER,
    ]


def _named(name: str | None, taken_at) -> str:
    return (name or "without a name") + (f" as of {taken_at:%Y-%m-%d %H:%M:%S} UTC" if taken_at else "")


def _steps(what: Freezable) -> list[tuple[str, str]]:
    steps, assignors = what.scenario.steps, len(what.scenario.settings.assignors or [])
    edits = [edit for step in steps for edit in step.edits]
    off = sum(edit.off for edit in edits)
    return [
        ("steps", f"{exact(len(steps))}, with {count(len(edits) - off, 'edit')}" + (f"; {count(off, 'edit')} off" if off else "")),
        ("answers", f"{count(assignors, 'assignor')} × {count(len(steps) + 1, 'step')}"),
    ]


def _answered_by(scenario: Scenario) -> str:
    is_classic = scenario.group.type in (None, "classic")
    return answered_by(client_of(scenario.group.leader, scenario.settings.client) if is_classic else None, scenario.settings.kafka_version)
