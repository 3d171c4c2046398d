"""The log of this session, from a broker or a client: pasted, or dropped as a file.

The log is stored, and the page's address contains its id.
"""

from collections.abc import Sequence

import streamlit as st

from evenkeel.dashboard.rebalances.loading.logs import OF_SHARE, log_of, store
from evenkeel.dashboard.shell import address, notices, opened, problem
from evenkeel.dashboard.shell.navigation import REBALANCES
from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline import uploads
from evenkeel.data.rebalances.reading.from_clients import rebalances_of, whose_view
from evenkeel.data.sources import client_log
from evenkeel.data.sources.client_event import ClientEvent
from evenkeel.data.sources.detection import CLIENT_LOG, DUMP, log_kind
from evenkeel.data.sources.log_lines import Counts

LOG = "log"
_BESIDE = "log-beside"
_LOOKED_AT = 4 << 20
"""Bytes at the start of a log that are searched for messages of clients."""

Files = Sequence[tuple[str, bytes]]


def taken(files: Files) -> list[tuple[str, bytes]]:
    """Store the files that are logs, and open the page Rebalances; return the other files."""
    kinds = [log_kind(data) for _, data in files]
    logs = [file for file, kind in zip(files, kinds, strict=True) if kind]
    events = _client_events(logs)
    if events and not rebalances_of(events) and {*kinds} <= {CLIENT_LOG, None}:
        problem.show(
            f"{whose_view(events)}. The log does not name the generation that a client"
            " joined, so no rebalance can be drawn. evenkeel rebalances FILE --json writes the"
            " events."
        )
    elif logs and read(logs):
        if events:
            notices.leave(f"{whose_view(events)}.")
        address.lead_to(log=st.session_state[LOG])
        st.switch_page(REBALANCES.script)
    return [file for file in files if file not in logs]


def _client_events(logs: Files) -> list[ClientEvent]:
    heads = [(name, data[:_LOOKED_AT]) for name, data in logs]
    return client_log.events_of(heads, None, Counts())


def read(files: Files, is_more: bool = False) -> bool:
    """Store logs and dumps as one history, and make it the log of this session.

    If nothing can be read, draw the error and return False. `is_more`: add the files to the
    session's current log.
    """
    dumps = [file for file in files if log_kind(file[1]) == DUMP]
    beside = st.session_state.get(LOG) if is_more else None
    try:
        uploads.check_size(files)
        with st.spinner("Reading …"):
            log = store([file for file in files if file not in dumps], dumps, beside)
    except SnapshotError as error:
        problem.show(str(error))
        return False
    remember(log)
    return True


def remember(log: str) -> None:
    """Make a stored log the log of this session, until another group is opened."""
    st.session_state[LOG], st.session_state[_BESIDE] = log, opened.current()
    address.chosen(LOG)


def current() -> str | None:
    """Return the log in the address, else the log of this session, else None.

    If the log was deleted, draw a message and return None.
    """
    linked = address.take(LOG)
    if linked is not None:
        st.session_state[LOG], st.session_state[_BESIDE] = linked, opened.current()
    elif address.is_followed() or st.session_state.get(_BESIDE) != opened.current():
        st.session_state.pop(LOG, None)
    if LOG in st.session_state:
        try:
            require_readable(st.session_state[LOG])
        except SnapshotError as error:
            del st.session_state[LOG]
            address.refuse(LOG, str(error))
    address.show_refused(LOG)
    address.show(log=st.session_state.get(LOG))
    return st.session_state.get(LOG)


def require_readable(log: str) -> None:
    """Raise an error if a log does not exist, or if its id is the id of a share.

    A share has its own page, which shows who froze it and when.
    """
    if log.startswith(OF_SHARE):
        raise SnapshotError(
            "The URL names a share instead of a log. Open the share with its own link."
        )
    log_of(log)
