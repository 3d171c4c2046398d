"""What is to be said of each answer beside its figures."""

import streamlit as st

from assignors import ASSIGNORS
from assignors.best import best
from assignors.facts import Facts, facts_of
from assignors.release import of_release
from assignors.serving import shipped
from dashboard.loading.stored import require_stored
from dashboard.loading.views import begun
from dashboard.widgets.opened import Opened
from data.configuration import configuration
from data.in_use import in_use


def facts(opened: Opened) -> dict[str, Facts]:
    """Return what is to be said of each answer of Evenkeel's own assignors beside its figures, by name.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(opened.batch)
    return _facts(opened)


@st.cache_resource(max_entries=24, ttl="1h", show_spinner=False)
def first_candidate(opened: Opened) -> str | None:
    """Return the best assignor that ships with Kafka for this type of group, None where none has an answer."""
    shown, _ = begun(opened, configuration().plugins)
    switches = {name: known.switch for name, known in _facts(opened).items()}
    found = best(shown.comparison.rows[1:], shipped(shown.observed.group_type), switches, in_use(shown.observed))
    return found and found.name


@st.cache_resource(max_entries=24, ttl="1h", show_spinner=False)
def _facts(opened: Opened) -> dict[str, Facts]:
    shown, _ = begun(opened, configuration().plugins)
    group, current, is_order_known = shown.comparison.group, shown.observed.current, "members" not in shown.observed.assumed
    rows = [row for row in shown.comparison.rows[1:] if row.name in ASSIGNORS]
    return {row.name: facts_of(group, current, of_release(ASSIGNORS[row.name], opened.kafka), row, is_order_known) for row in rows}
