"""What the Timeline's figure and list of events are drawn from: areas of members, owners of partitions, sentences."""

from typing import Any, NamedTuple

from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.pictures import MemberLags, OwnerRows, TopicRows, member_lags, owner_rows, topic_rows
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import Verdicts
from evenkeel.dashboard.words.events import timeline_events
from evenkeel.data.lake.history.history import History
from evenkeel.data.words.names import names_in, partition_name

MEMBERS = 6
"""Members with a colour of their own."""

ROWS = 40
"""Partitions whose owners are drawn when a person asks for more."""

_FIT, _FIT_WITH_TOPICS, _LEAST = 20, 18, 12
"""Rows that fit a screen with all other panels: of partitions alone, and with topics, which take two each; and the fewest partitions."""

TOPICS = 6
"""Rows for the other partitions, by topic."""

_BINS = 60


class Owned(NamedTuple):
    """Owners of some partitions, whose names are `partitions`, and of the rest by topic."""

    rows: OwnerRows
    partitions: tuple[str, ...]
    topics: TopicRows


def pictures_of(history: History, found: Now, seen: Verdicts) -> dict[str, Any]:
    """Return what the figure and the list of events show of the range; `seen`: verdicts with those of the slots before it."""
    series, names = history.within.series, names_in(history.series)
    lags = member_lags(series, MEMBERS, _BINS)
    return {
        "lags": lags,
        "names": tuple(names[member] for member in lags.member.tolist()),
        "owned": tuple(_owned(series, most, lags) for most in _row_counts(series)),
        "owner_names": names,
        "partition_count": series.tp_count,
        "topic_names": series.topic_name,
        "events": timeline_events(history, found, seen, lags),
    }


def _row_counts(series: Series) -> tuple[int, ...]:
    """Return of how many partitions the owners are drawn: as many as fit a screen, and more where there are more."""
    if series.tp_count <= _FIT:
        return (_FIT,)
    return max(_LEAST, _FIT_WITH_TOPICS - 2 * min(len(series.topic_name), TOPICS)), ROWS


def _owned(series: Series, most: int, lags: MemberLags) -> Owned:
    rows = owner_rows(series, most)
    return Owned(rows, tuple(name_of(series, tp) for tp in rows.tp.tolist()), topic_rows(series, rows.tp, lags.member, TOPICS))


def name_of(series: Series, tp: int) -> str:
    """Return the name of a partition."""
    return partition_name(series.topic_name[series.topic[tp]], int(series.partition[tp]))
