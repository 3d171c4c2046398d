"""The two times A and B that the Timeline compares. By default, A is the first reading that
contains the group, and B is the last reading of the range.

If the reader chooses A or B, the choice is in the address.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple, TypeGuard

import streamlit as st

from evenkeel.dashboard.parts.facts import LAG, WORST_MEMBER
from evenkeel.dashboard.shell import address, by_link, opened
from evenkeel.dashboard.shell.choice import Choice
from evenkeel.dashboard.shell.navigation import MOVES
from evenkeel.dashboard.timeline.loading.timelines import Timeline
from evenkeel.dashboard.timeline.loading.two_moments import TwoMoments, moment_of
from evenkeel.dashboard.timeline.tables import MomentRow, lag_row, member_row, owner_row
from evenkeel.dashboard.times import clock, day
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.lake.history.instants import parted

_MOST_SECONDS = 10**12


@dataclass(frozen=True)
class _Moment(Choice[float | None]):
    """The choice of A or B, in seconds since 1970. None is the default."""

    key: str
    name: str
    default: None = None

    def read(self, linked: str) -> tuple[float | None, str]:
        seconds = address.whole(linked, _MOST_SECONDS)
        if seconds is not None:
            return float(seconds), ""
        return (
            None,
            f"The URL asks for the moment “{linked[:40]}”, expected seconds since 1970.",
        )


_MOMENTS = {name: _Moment(f"moment-{name}", name) for name in "ab"}


class Moments(NamedTuple):
    """The times A and B in seconds since 1970. Each time selects the last reading up to this
    time.
    """

    a: float
    b: float


def choose(shown: Timeline) -> Moments:
    """Return A and B. A is always before B."""
    chosen = {name: moment.follow() for name, moment in _MOMENTS.items()}
    a = chosen["a"] if _is_within(chosen["a"], shown.since, shown.until) else shown.listed_since
    b = chosen["b"] if _is_within(chosen["b"], a + 1, shown.until) else shown.until
    shown_in_address = {
        "a": a if a != shown.listed_since else None,
        "b": b if b != shown.until else None,
    }
    address.show(
        **{
            name: None if time is None else str(int(time))
            for name, time in shown_in_address.items()
        }
    )
    return Moments(a, b)


def pick(name: str, time: float) -> None:
    """Choose the reading at `time` as A (`a`) or B (`b`). If this reading is already chosen, go
    back to the default. Used as a widget callback.
    """
    # The address has whole seconds, so the reading that began within this second counts.
    chosen, moment = float(int(time) + 1), _MOMENTS[name]
    if st.session_state.get(moment.key) == chosen:
        moment.choose(None)
    else:
        moment.choose(chosen)
        _drop_other(name, chosen)


def end_at(moment: datetime) -> None:
    """Choose the reading at a time as B, unless the address already has a B. `moment`: UTC, without
    zone.
    """
    if not address.says("b"):
        st.session_state[_MOMENTS["b"].key] = moment.replace(tzinfo=UTC).timestamp()


def _drop_other(name: str, time: float) -> None:
    """Set the other time back to its default if A would not be before B."""
    other = _MOMENTS["b" if name == "a" else "a"].key
    before = st.session_state.get(other)
    if before is not None and (before <= time if name == "a" else before >= time):
        st.session_state.pop(other)


def _is_within(time: float | None, first: float, last: float) -> TypeGuard[float]:
    return time is not None and first <= time < last


# Two moments in a table. A button opens Moves with both moments.


def show_table(group: OpenGroup, moments: TwoMoments | None) -> None:
    """Draw a table that compares A and B, and the button that opens the comparison. Draw nothing if
    A and B are the same reading.
    """
    if moments is None:
        return
    st.html(_table(moments))
    if st.button(
        "Compare these two moments",
        icon=":material/compare_arrows:",
        width="stretch",
        key="compare-moments",
    ):
        _compare(group, moments)


def _compare(group: OpenGroup, moments: TwoMoments) -> None:
    later = group._replace(batch=parted(moments.batch[1])[0])
    since, until = (moment_of(group, batch) for batch in moments.batch)
    if since is None or until is None:
        st.warning(
            f"The group is not listed at {'A' if since is None else 'B'}, so there is nothing to"
            " compare."
        )
        return
    opened.open_group(later)
    address.lead_to(since=since)
    # With the group, because an address without a group would close it.
    st.switch_page(MOVES.script, query_params=by_link.params(later) | {"since": since})


def _table(moments: TwoMoments) -> str:
    rows = [
        lag_row(LAG, moments.lag, moments.unknown),
        lag_row(WORST_MEMBER, moments.worst, (0, 0)),
        member_row(moments.members, moments.idle),
        owner_row(moments.changed_count, moments.partition_count),
    ]
    days = [day(time) for time in moments.time]
    # Two equal clock times on different days would look the same.
    shown = [f"<small>{date}</small>" if days[0] != days[1] else "" for date in days]
    head = "".join(
        f"<th><b>{letter}</b> {clock(time)}{date}</th>"
        for letter, time, date in zip("AB", moments.time, shown, strict=True)
    )
    body = "".join(map(_line, rows))
    table = (
        f"<thead><tr><th>Two moments</th>{head}<th>Change</th></tr></thead><tbody>{body}</tbody>"
    )
    return f'<div class="moments"><table class="two-moments">{table}</table></div>'


def _line(row: MomentRow) -> str:
    cells = f"<td>{escape(row.first)}</td><td>{escape(row.second)}</td>"
    return (
        f'<tr><th>{row.name}</th>{cells}<td class="change'
        f' {row.tone}">{escape(row.change)}</td></tr>'
    )
