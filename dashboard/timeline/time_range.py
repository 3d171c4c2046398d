"""The range of a group's history: the last hours, or a range between two chosen times. The reader's
choice is in the address.
"""

from datetime import UTC, datetime, timedelta

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors.arrays import all_known
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.choice import Options
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
from evenkeel.dashboard.view import OpenGroup

_CUSTOM = "custom"
_HOURS = {"6h": 6.0, "24h": 24.0, "7d": 168.0}
_TEXTS = {"6h": "6 h", "24h": "24 h", "7d": "7 d", _CUSTOM: "Custom"}
_DEFAULT = "24h"
_ENDS = {"from": "range-from", "to": "range-to"}
"""Names of both times in the address, in UTC, and keys of their inputs, in the reader's zone
without zone.
"""

_ZONE = "range-zone"

_SHOWN = "range-shown"
_LEAST = timedelta(minutes=1)


class _Kind(Options):
    """The choice of the range: a number of hours, or `custom`. With `custom`, the address contains
    two times.
    """

    def write(self) -> None:
        if self.value != _CUSTOM:
            super().write()

    def _linked(self) -> str | None:
        texts, linked = [address.take(name) for name in _ENDS], super()._linked()
        if not any(texts):
            return linked
        times = all_known(from_iso(text or "") for text in texts)
        if times is None:
            linked_times = " to ".join(f"“{(text or '')[:40]}”" for text in texts)
            address.refuse(
                self.link,
                f"The URL asks for the range {linked_times}, expected two times such as"
                " from=2026-11-08T14:02Z&to=2026-11-08T16:00Z.",
            )
            return linked
        _set(*(local(time.replace(tzinfo=UTC)).replace(tzinfo=None) for time in times))
        return _CUSTOM


_RANGE = _Kind("range", _TEXTS, _DEFAULT, "range")


def choose(bar: DeltaGenerator) -> None:
    """Draw the choice in one line: hours back from the last reading, or two times."""
    _RANGE.follow()
    with bar:
        _RANGE.show("Range")


def chosen(group: OpenGroup) -> Range | None:
    """Return the chosen range. If the lake has no reading in the range, show a sentence that says
    so, and return None. Must be called after `choose`.

    If the reader has chosen `custom`, draw the inputs of the two times. The caller must check that
    the group's cluster has a reading.
    """
    whole, kind = whole_range(group), _RANGE.value
    if whole is None:
        return None
    if kind == _CUSTOM:
        limited = wanted = _between(group, whole)
        address.show(
            **{name: iso(from_local(st.session_state[key])) for name, key in _ENDS.items()}
        )
    else:
        wanted = Range(whole.until - 3600 * _HOURS[kind], whole.until)
        limited = wanted._replace(since=max(wanted.since, whole.since))
    # The reader has not chosen the default, so no sentence is needed.
    if wanted and kind != _DEFAULT and (words := outside(wanted, whole)):
        st.caption(words)
    st.session_state[_SHOWN] = limited or whole
    return limited


def link_hint() -> str:
    """Return the tooltip of the link to this page: which range the link opens. Must be called after
    `choose`.
    """
    return of_link(_TEXTS[_RANGE.value], is_fixed=_RANGE.value == _CUSTOM)


def pick(since: float, until: float) -> None:
    """Choose the range between two times, in seconds since 1970. The times are rounded to whole
    minutes. Used as a widget callback.
    """
    first, last = _minute(since), _minute(until + 59)
    _set(first, max(last, first + _LEAST))
    _RANGE.choose(_CUSTOM)


def end_at(moment: datetime, group: OpenGroup) -> None:
    """Choose the range that ends at a time, unless the address already has a range. `moment`: UTC,
    without zone.
    """
    whole, until = whole_range(group), moment.replace(tzinfo=UTC).timestamp()
    if whole and not address.says(_RANGE.link, *_ENDS):
        pick(max(until - 3600 * _HOURS[_DEFAULT], whole.since), min(until, whole.until))


def _set(since: datetime, until: datetime) -> None:
    for key, value in zip(_ENDS.values(), (since, until), strict=True):
        st.session_state[key] = value


def _between(group: OpenGroup, whole: Range) -> Range | None:
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
    """Draw the inputs of the two times. The default is the range that was shown before."""
    before, here = st.session_state.get(_SHOWN, whole), zone(whole.until)
    if st.session_state.setdefault(_ZONE, here) != here:
        # The same times, converted to the new zone.
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
    # The input always has a time, because it cannot be cleared.
    return st.datetime_input(
        name,
        required=True,
        format="YYYY-MM-DD",
        width=190,
        **_RANGE.widget | {"key": key},
    )


def _minute(seconds: float) -> datetime:
    return local(seconds - seconds % 60).replace(tzinfo=None)
