"""The next reading of a live group; while the cluster is silent, the old one stays with its age."""

from datetime import UTC, datetime, timedelta

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.widgets.parts import age
from evenkeel.dashboard.words.names import literal
from evenkeel.data.errors import SnapshotError


def is_due(taken_at: datetime | None, every: float | None) -> bool:
    """Tell whether a reading is as old as the interval of seconds, None where nobody watches, or from before the clock was set back."""
    return bool(every and taken_at) and abs(datetime.now(UTC) - taken_at) >= 0.9 * timedelta(seconds=every)


def read(cluster: str, group_id: str) -> str | None:
    """Read a group again; return the batch, or say why there is none."""
    try:
        return loading.live_snapshot(cluster, group_id)
    except SnapshotError as error:
        age.is_overdue()
        st.warning(f"{literal(str(error))}. The last reading is shown.", icon=":material/cloud_off:")
        return None
