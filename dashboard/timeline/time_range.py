"""The shown range of a group's history: the last hours, or from one time to another; the choice is
in the address.
"""

from datetime import UTC, datetime, timedelta

import streamlit as st

from evenkeel.assignors.arrays import all_known
from evenkeel.dashboard.shell import address, linked_choice
from evenkeel.dashboard.shell.loading.readings import Range, has_readings, whole_range
from evenkeel.dashboard.times import (
    between,
    day_and_clock,
    from_iso,
    from_local,
    iso,
    local,
    of_link,
    outside,
    zone,
)
from evenkeel.dashboard.view import Opened

_CUSTOM = "custom"
_HOURS = {"6h": 6.0, "24h": 24.0, "7d": 168.0}
_TEXTS = {"6h": "6 h", "24h": "24 h", "7d": "7 d", _CUSTOM: "Custom"}
_KEY, _DEFAULT = "range", "24h"
_ENDS = {"from": "range-from", "to": "range-to"}
"""Names in the address, in UTC, and keys of the inputs: times in the reader's zone, without it."""

_ZONE = "range-zone"

_SHOWN = "range-shown"
_LEAST = timedelta(minutes=1)


def choose() -> None:
    """Draw the choice: hours that are counted back from the last reading, or two times."""
    linked = [address.take(name) for name in _ENDS]
    address.follow(_KEY, list(_TEXTS), _DEFAULT, "range")
    if any(linked):
        _follow([text or "" for text in linked])
    linked_choice.show("Range", _TEXTS, _KEY)


def chosen(group: Opened) -> Range | None:
    """Return the chosen range, after `choose`; None, and a sentence, if the lake has nothing in it.

    Draws the two times if they are chosen. The lake must have a reading of the group's cluster.
    """
    whole, kind = whole_range(group), st.session_state[_KEY]
    address.show_refused(_KEY)
    if whole is None:
        return None
    if kind == _CUSTOM:
        limited = asked = _between(group, whole)
        ends = {name: iso(from_local(st.session_state[key])) for name, key in _ENDS.items()}
    else:
        asked, ends = Range(whole.until - 3600 * _HOURS[kind], whole.until), dict.fromkeys(_ENDS)
        limited = asked._replace(since=max(asked.since, whole.since))
    # Nobody has asked for the default.
    if asked and kind != _DEFAULT and (words := outside(asked, whole)):
        st.caption(words)
    address.show(range=None if kind in (_DEFAULT, _CUSTOM) else kind, **ends)
    st.session_state[_SHOWN] = limited or whole
    return limited


def link_hint() -> str:
    """Return the range of a link to this view, after `choose`."""
    return of_link(_TEXTS[st.session_state[_KEY]], is_fixed=st.session_state[_KEY] == _CUSTOM)


def pick(since: float, until: float) -> None:
    """Choose the range between two times, seconds since 1970, in whole minutes; for callbacks."""
    first, last = _minute(since), _minute(until + 59)
    _set(first, max(last, first + _LEAST))
    address.chosen(_KEY)


def end_at(moment: datetime, group: Opened) -> None:
    """Let the range end with the minute of a moment, in UTC and without its zone, unless the
    address asks for a range.
    """
    whole, until = whole_range(group), moment.replace(tzinfo=UTC).timestamp()
    if whole and not address.says(_KEY, *_ENDS):
        pick(max(until - 3600 * _HOURS[_DEFAULT], whole.since), min(until, whole.until))


def _follow(texts: list[str]) -> None:
    times = all_known(map(from_iso, texts))
    if times is None:
        asked = " to ".join(f"“{text[:40]}”" for text in texts)
        address.refuse(
            _KEY,
            f"The address asks for the range {asked}, expected two times such as"
            " from=2026-11-08T14:02Z&to=2026-11-08T16:00Z.",
        )
    else:
        _set(*(local(time.replace(tzinfo=UTC)).replace(tzinfo=None) for time in times))


def _set(since: datetime, until: datetime) -> None:
    for key, value in zip((_KEY, *_ENDS.values()), (_CUSTOM, since, until), strict=True):
        st.session_state[key] = value


def _between(group: Opened, whole: Range) -> Range | None:
    since, until = (from_local(time).timestamp() for time in _inputs(whole))
    words = f"{day_and_clock(since)} to {day_and_clock(until)}"
    if since >= until:
        st.error(f"The range from {words} ends before it begins.")
    elif not has_readings(group, since, until):
        st.error(f"No reading from {words}. The lake has readings from {between(*whole)}.")
    else:
        return Range(since, until)
    return None


def _inputs(whole: Range) -> list[datetime]:
    """Draw both times; at first the ends of the previous range."""
    before, here = st.session_state.get(_SHOWN, whole), zone(whole.until)
    if st.session_state.setdefault(_ZONE, here) != here:
        # The same times, said in another zone.
        st.session_state[_ZONE] = here
        for key, seconds in zip(_ENDS.values(), before, strict=True):
            st.session_state[key] = _minute(seconds)
    for key, seconds in zip(_ENDS.values(), (before.since, before.until + 59), strict=True):
        st.session_state.setdefault(key, _minute(seconds))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="range-ends"):
        times = [_input(name, key) for name, key in _ENDS.items()]
        st.html(f'<span class="note">{here}</span>', width="content")
    return times


def _input(name: str, key: str) -> datetime:
    st.html(f'<span class="note">{name.capitalize()}</span>', width="content")
    # Always a time: it cannot be emptied.
    return st.datetime_input(
        name,
        key=key,
        required=True,
        persist_state="session",
        on_change=address.chosen,
        args=(_KEY,),
        label_visibility="collapsed",
        format="YYYY-MM-DD",
        width=190,
    )


def _minute(seconds: float) -> datetime:
    return local(seconds - seconds % 60).replace(tzinfo=None)
