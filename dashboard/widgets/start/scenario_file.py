"""A scenario among the files of the start page: it opens What-if with its steps."""

from collections.abc import Sequence

import streamlit as st

from dashboard.widgets.opening import scenario
from dashboard.widgets.parts import problem
from dashboard.words.formats import count
from data.errors import SnapshotError
from data.scenarios.scenario.decode_scenario import decode_scenario, is_scenario

Files = Sequence[tuple[str, bytes]]


def opened(files: Files) -> Files:
    """Leave for What-if with a scenario; return files without one. For one that is refused, say why and return none."""
    found = next((file for file in files if is_scenario(file[1])), None)
    if found is None:
        return files
    name, text = found
    try:
        if len(files) > 1:
            raise SnapshotError(f"a scenario brings its own group: open it alone, without the {count(len(files) - 1, 'other file')}")
        scenario.lead_to(decode_scenario(text), "scenario.json")
    except SnapshotError as error:
        problem.show(f"{name}: {error}")
        return []
    st.switch_page(scenario.WHAT_IF)
