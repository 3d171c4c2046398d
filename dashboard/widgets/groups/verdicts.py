"""Verdicts beside the groups of a cluster, and one sentence where there are none, or old ones."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.loading.history.verdicts import LIST_SECONDS, ListedVerdicts, listed_diagnoses, listed_verdicts
from evenkeel.dashboard.tables.group_columns import Row
from evenkeel.dashboard.tables.group_listing import with_verdicts
from evenkeel.dashboard.widgets.parts import age, problem
from evenkeel.dashboard.words.names import literal
from evenkeel.dashboard.words.times import moment
from evenkeel.data.errors import SnapshotError
from evenkeel.data.words.formats import duration
from evenkeel.data.words.history import Sentence

_OLD_SECONDS = 180.0
_OLD_SLOTS = 5
_AGE_SECONDS, _AGE_SLOTS = 1.5 * LIST_SECONDS, 3
"""From which age it is told; verdicts are looked at anew once in `LIST_SECONDS`."""


def added(cluster: str, groups: pa.Table, facts: DeltaGenerator) -> pa.Table:
    """Return the groups with what their snapshots say, as they are where there are none; `facts` get the time of the last one."""
    try:
        found = listed_verdicts(cluster)
    except SnapshotError as error:
        problem.show(str(error))
        return groups
    if found.groups is None:
        _wait(cluster) if found.is_behind else _say_how(cluster)
        return groups
    _say_age(found, facts)
    return with_verdicts(groups, found.groups, found.axis)


def diagnosed(cluster: str, rows: Sequence[Row]) -> Mapping[str, tuple[Sentence, ...]]:
    """Return what is wrong with each of these groups, in sentences by group id; the list is drawn again when they are there."""
    asked = tuple(row["group_id"] for row in rows)
    found = listed_diagnoses(cluster, asked)
    if found.is_behind:
        _wait_for_diagnoses(cluster, asked)
    return found.sentences


@st.fragment(run_every=1.0)
def _wait_for_diagnoses(cluster: str, asked: tuple[str, ...]) -> None:
    if not listed_diagnoses(cluster, asked).is_behind:
        st.rerun()


def _say_how(cluster: str) -> None:
    command = f"`evenkeel collect --cluster {literal(cluster)}`"
    st.caption(f"Verdicts, time lags and drain times need snapshots: {command} writes them into this server's lake.")


@st.fragment(run_every=1.0)
def _wait(cluster: str) -> None:
    if not listed_verdicts(cluster).is_behind:
        st.rerun()
    st.caption("Verdicts, time lags and drain times are being made of the last snapshots.")


def _say_age(found: ListedVerdicts, facts: DeltaGenerator) -> None:
    """Say of which moment they are, and when the collector has stopped."""
    time, now = found.axis.time, datetime.now(UTC)
    read_at, passed = datetime.fromtimestamp(time[-1], UTC), now.timestamp() - time[-1]
    step = (time[-1] - time[0]) / max(time.size - 1, 1)
    if passed > max(_OLD_SECONDS, _OLD_SLOTS * step):
        ago = f"{moment(read_at, now)}, {duration(passed)} ago"
        st.warning(f"Verdicts, time lags and drain times are of {ago}: no snapshot has been collected since.")
        return
    with facts:
        age.show(read_at, word="verdicts as of", shown_from=max(_AGE_SECONDS, _AGE_SLOTS * step))
