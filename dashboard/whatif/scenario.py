"""Open a scenario document as a what-if of this session. The scenario's group is stored like an
upload, and the steps are written to the address.
"""

from collections.abc import Sequence

import msgspec
import streamlit as st

from evenkeel.assignors import JAVA
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.dashboard.shell import address, importing, problem
from evenkeel.dashboard.shell.navigation import STREAMS, WHAT_IF
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, is_scenario
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, text_of, text_of_steps
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario, Settings
from evenkeel.data.scenarios.stored_groups import stored
from evenkeel.data.text.formats import count


def lead_to(scenario: Scenario, file: str) -> str:
    """Store a scenario's group and give its steps to the page What-if. Return the batch of the
    group. The caller must switch to What-if next. `file`: a name for the group's file.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    batch = stored(scenario.group, file, configuration().lake)
    draft = Draft([NamedSteps(scenario.name, scenario.steps)])
    address.lead_to(
        opened=batch,
        steps=text_of(draft) if scenario.steps else None,
        kafka=_chosen(scenario.settings),
    )
    return batch


def _chosen(settings: Settings) -> str | None:
    """Return a scenario's client or Kafka release as the address writes it."""
    return (
        settings.client
        if settings.client not in (None, JAVA)
        else settings.kafka_version or (settings.client and NEWEST)
    )


# A scenario of an application: its streams document is stored like an upload, and the address of
# Streams has its steps.


def lead_to_application(scenario: ApplicationScenario, file: str) -> str:
    """Store the document of a Streams scenario and give its steps to the page Streams. Return the
    batch of the document. The caller must switch to Streams next. `file`: a name for the document's
    file.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    batch = importing.uploaded([(file, msgspec.json.encode(scenario.group))])
    wanted: Sequence[str | None] = scenario.settings.assignors or [None]
    address.lead_to(
        opened=batch,
        steps=text_of_steps(scenario.steps) if scenario.steps else None,
        assignor=wanted[0],
    )
    return batch


# A scenario among files. A group's scenario opens What-if with the scenario's steps. An
# application's scenario opens Streams.


_FILE = "scenario.json"

Files = Sequence[tuple[str, bytes]]


def opened(files: Files) -> Files:
    """If a file is a scenario, open it on What-if or Streams. Otherwise return the files. If the
    scenario is refused, show why and return no files.
    """
    scenario = next((file for file in files if is_scenario(file[1])), None)
    if scenario is None:
        return files
    name, text = scenario
    try:
        if len(files) > 1:
            raise SnapshotError(
                "a scenario contains its group, so open it without the"
                f" {count(len(files) - 1, 'other file')}"
            )
        page = _lead_to(decode_any_scenario(text))
    except SnapshotError as error:
        problem.show(f"{name}: {error}")
        return []
    st.switch_page(page)


def _lead_to(read: Scenario | ApplicationScenario) -> str:
    if isinstance(read, ApplicationScenario):
        lead_to_application(read, _FILE)
        return STREAMS.script
    lead_to(read, _FILE)
    return WHAT_IF.script
