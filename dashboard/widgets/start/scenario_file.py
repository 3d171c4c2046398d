"""A scenario among the files of the start page: it opens What-if with its steps, or Streams where its group is an application."""

from collections.abc import Sequence

import streamlit as st

from evenkeel.dashboard.widgets.opening import by_link, scenario
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, is_scenario
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario
from evenkeel.data.words.formats import count

_FILE = "scenario.json"

Files = Sequence[tuple[str, bytes]]


def opened(files: Files) -> Files:
    """Leave for What-if or Streams with a scenario; return files without one. For one that is refused, say why and return none."""
    found = next((file for file in files if is_scenario(file[1])), None)
    if found is None:
        return files
    name, text = found
    try:
        if len(files) > 1:
            raise SnapshotError(f"a scenario brings its own group: open it alone, without the {count(len(files) - 1, 'other file')}")
        page = _lead_to(decode_any_scenario(text))
    except SnapshotError as error:
        problem.show(f"{name}: {error}")
        return []
    st.switch_page(page)


def _lead_to(read: Scenario | ApplicationScenario) -> str:
    """Open a scenario and return the page that shows it."""
    if isinstance(read, ApplicationScenario):
        scenario.lead_to_application(read, _FILE)
        return by_link.STREAMS
    scenario.lead_to(read, _FILE)
    return scenario.WHAT_IF
