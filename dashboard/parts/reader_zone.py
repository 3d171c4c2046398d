"""The time zone in which a reader sees times: the browser's zone or UTC, kept in a cookie."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from evenkeel.dashboard import scripts, times

_STATE = "times-in-utc"
_COOKIE = "evenkeel-times"


def follow() -> None:
    """Show all times on pages in the reader's zone."""
    times.ask_for_zone(_zone)


def show() -> None:
    """Draw the button that switches between zones; draw nothing if the browser's zone is UTC."""
    here = _of_browser()
    if here is None:
        return
    is_utc = _is_utc()
    name, other = ("UTC", here.key) if is_utc else (here.key, "UTC")
    help_text = (
        f"Times are in {name}. A click shows them in {other}. Files, shares and the API use UTC."
    )
    st.button(
        times.zone(datetime.now(UTC)),
        key="zone",
        type="tertiary",
        icon=":material/schedule:",
        help=help_text,
        on_click=_switch,
    )
    if _STATE in st.session_state:
        choice = f'<i data-times="{"utc" if is_utc else "local"}"></i>'
        st.html(choice + scripts.inline("times"), unsafe_allow_javascript=True, width="content")


def _switch() -> None:
    st.session_state[_STATE] = not _is_utc()


def _is_utc() -> bool:
    return st.session_state.get(_STATE, st.context.cookies.get(_COOKIE) == "utc")


def _zone() -> tzinfo:
    return UTC if _is_utc() else _of_browser() or UTC


def _of_browser() -> ZoneInfo | None:
    """Return the browser's zone; None if it is UTC, unknown or not reported."""
    name = st.context.timezone
    try:
        zone = ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None
    return None if zone is None or zone.key in ("UTC", "Etc/UTC") else zone
