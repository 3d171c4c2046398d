"""The list of a share's contents, and of data that a share never contains."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.dashboard.shares.loading.frozen import (
    Freezable,
)
from evenkeel.data.scenarios.client_words import answered_by
from evenkeel.data.scenarios.leaders import client_of
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario
from evenkeel.data.shares.redaction import Row
from evenkeel.data.shares.redaction.shapes import GROUP, REASON
from evenkeel.data.text.formats import count, exact, listed

# The contents of a share before it is made.


_NEVER = ("never", "credentials, broker addresses")


def show_contents(facts: list[tuple[str, str]]) -> None:
    """Draw the list of the contents of a share."""
    rows = "".join(f"<dt>{term}</dt><dd>{escape(text)}</dd>" for term, text in facts)
    st.html(f'<b>What is inside</b><dl class="inside">{rows}</dl>')


def contents_of(view: Freezable, rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Return the contents of a share: name and text of each part. `rows`: all names, with
    stand-ins.
    """
    if isinstance(view.scenario, Scenario):
        return _inside_group(view, rows)
    if isinstance(view.scenario, ApplicationScenario):
        return _inside_application(view, rows)
    return _inside_rebalances(view, rows)


def _inside_group(view: Freezable[Scenario], rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Return the contents of a share with a group's scenario."""
    scenario, group = view.scenario, view.scenario.group
    topics, members = group.topics or [], group.members or []
    partitions = sum(topic.size for topic in topics)
    return [
        ("group", _named(group.group_id, group.taken_at, rows)),
        (
            "numbers",
            (
                f"{count(partitions, 'partition')}, {count(len(topics), 'topic')},"
                f" {count(len(members), 'member')}"
            ),
        ),
        *_steps(view),
        ("settings", f"{_answered_by(scenario)}, engine {view.lines[0]['engine']}"),
        _NEVER,
    ]


def _inside_application(
    view: Freezable[ApplicationScenario], rows: Sequence[Row]
) -> list[tuple[str, str]]:
    """Return the contents of a share with an application's scenario."""
    application = view.scenario.group
    tasks, processes = application.tasks or [], application.processes or []
    return [
        ("application", _named(application.application_id, application.taken_at, rows)),
        ("numbers", f"{count(len(tasks), 'task')}, {count(len(processes), 'instance')}"),
        *_steps(view),
        ("engine", view.lines[0]["engine"]),
        _NEVER,
    ]


def _inside_rebalances(view: Freezable[Mapping], rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Return the contents of a share with a group's rebalances."""
    events = view.lines[1:]
    quoted = sum(bool(each["text"]) for event in events for each in event["lines"])
    return [
        ("group", _named(view.scenario["group_id"], None, rows)),
        ("numbers", count(len(events), "rebalance")),
        ("evidence", f"{count(quoted, 'line')} of logs{_as_they_leave(rows)}"),
        ("engine", view.lines[0]["engine"]),
        _NEVER,
    ]


def _as_they_leave(rows: Sequence[Row]) -> str:
    hidden = list(dict.fromkeys(row.kind for row in rows if row.stand_in is not None))
    reasons = "" if REASON.noun in hidden else ", with the reasons that clients gave"
    if not hidden:
        return f", unchanged{reasons}"
    return f": stand-ins for each {listed(hidden, most=len(hidden))}, the rest unchanged{reasons}"


def _named(name: str | None, taken_at, rows: Sequence[Row]) -> str:
    name = next(
        (
            row.stand_in
            for row in rows
            if row.kind == GROUP.noun and row.name == name and row.stand_in is not None
        ),
        name,
    )
    return (name or "without a name") + (
        f" as of {taken_at:%Y-%m-%d %H:%M:%S} UTC" if taken_at else ""
    )


def _steps(view: Freezable) -> list[tuple[str, str]]:
    steps, assignors = view.scenario.steps, len(view.scenario.settings.assignors or [])
    edits = [edit for step in steps for edit in step.edits]
    off = sum(edit.off for edit in edits)
    return [
        (
            "steps",
            f"{exact(len(steps))}, with {count(len(edits) - off, 'edit')}"
            + (f"; {count(off, 'edit')} off" if off else ""),
        ),
        ("answers", f"{count(assignors, 'assignor')} × {count(len(steps) + 1, 'step')}"),
    ]


def _answered_by(scenario: Scenario) -> str:
    is_classic = scenario.group.type in (None, CLASSIC)
    return answered_by(
        client_of(scenario.group.leader, scenario.settings.client) if is_classic else None,
        scenario.settings.kafka_version,
    )
