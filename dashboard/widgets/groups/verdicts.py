"""Verdicts beside the groups of a cluster, and one sentence where there are none, or old ones."""

from datetime import UTC, datetime

import pyarrow as pa
import streamlit as st

from dashboard.loading.history.verdicts import ListedVerdicts, listed_verdicts
from dashboard.tables.group_verdicts import with_verdicts
from dashboard.widgets.parts import problem
from dashboard.words.formats import duration, moment
from dashboard.words.names import literal
from data.errors import SnapshotError

_OLD_SECONDS = 300.0
_OLD_SLOTS = 5


def added(cluster: str, groups: pa.Table) -> pa.Table:
    """Return the groups with what their snapshots say, as they are where there are none."""
    try:
        found = listed_verdicts(cluster)
    except SnapshotError as error:
        problem.show(str(error))
        return groups
    if found.groups is None:
        _wait(cluster) if found.is_behind else _say_how(cluster)
        return groups
    _say_age(found)
    return with_verdicts(groups, found.groups, found.axis)


def _say_how(cluster: str) -> None:
    command = f"`evenkeel collect --cluster {literal(cluster)}`"
    st.caption(f"Verdicts, time lags and drain times need snapshots: {command} writes them into this server's lake.")


@st.fragment(run_every=1.0)
def _wait(cluster: str) -> None:
    if not listed_verdicts(cluster).is_behind:
        st.rerun()
    st.caption("Verdicts, time lags and drain times are being made of the last snapshots.")


def _say_age(found: ListedVerdicts) -> None:
    """Say when the collector has stopped."""
    time, now = found.axis.time, datetime.now(UTC)
    age = now.timestamp() - time[-1]
    step = (time[-1] - time[0]) / max(time.size - 1, 1)
    if age > max(_OLD_SECONDS, _OLD_SLOTS * step):
        at = moment(datetime.fromtimestamp(time[-1], UTC), now)
        st.warning(f"Verdicts, time lags and drain times are of {at}, {duration(age)} ago: no snapshot has been collected since.")
