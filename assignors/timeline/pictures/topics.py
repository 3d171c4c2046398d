"""Partition counts of members over time, by topic."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.ownership import flapping
from evenkeel.assignors.timeline.pictures.runs import last_lag, run_ends

# Number of partitions of each member, with a row for each topic


OTHER_TOPICS = -1
_MOST_TOPIC_RUNS = 400


@dataclass(frozen=True, eq=False)
class TopicRows:
    """Partition counts of members over time, by topic: W topics, R runs, K members with their own
    colour.

    Parameters
    ----------
    topic : int64 (W,)
        Row numbers of the topics in `topic_name`. The topic with the largest present lag is first.
        The last number is `OTHER_TOPICS` if not all topics fit.
    topic_count, tp_count : int64 (W,)
        Number of topics, and number of partitions, in each row of the picture.
    lag : int64 (W,)
        Sum of known lags at the last slot. `UNKNOWN_LAG` if no lag is known.
    change_count : int64 (W,)
        Number of changes of owner from one member to another.
    row : int64 (R,)
        Topic of each run, as an index in `topic`.
    owned : int64 (R, K + 2)
        Number of partitions of each of the K members, of all other members, and without an owner.
    begin, end : float64 (R,)
        Seconds since 1970. A run ends when the next run starts, or at its last slot before a gap.
    is_joined : bool
        Whether short runs were added to the run before them, because there were too many runs.
    """

    topic: np.ndarray
    topic_count: np.ndarray
    tp_count: np.ndarray
    lag: np.ndarray
    change_count: np.ndarray
    row: np.ndarray
    owned: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    is_joined: bool


def topic_rows(
    series: Series,
    but: np.ndarray,
    members: np.ndarray,
    most: int,
    most_runs: int = _MOST_TOPIC_RUNS,
) -> TopicRows:
    """Return the owners of all partitions except `but`, by topic, for at most `most` rows of the
    picture. `members`: row numbers of the members with their own colour.
    """
    tps = np.setdiff1d(np.arange(series.tp_count), but)
    lag = last_lag(series)[tps]
    topic, of_tp = _topics(series.topic[tps], np.maximum(lag, 0), most)
    rest = _Rest(tps, of_tp, topic.size)
    starts, is_joined = _starts(series, tps, most_runs)
    return TopicRows(
        topic=topic,
        topic_count=np.where(
            topic == OTHER_TOPICS, np.unique(series.topic[tps]).size - topic.size + 1, 1
        ),
        tp_count=rest.sums(np.ones(tps.size, dtype=np.int64)),
        lag=np.where(
            rest.sums((lag != UNKNOWN_LAG).astype(np.int64)) > 0,
            rest.sums(np.maximum(lag, 0)),
            UNKNOWN_LAG,
        ),
        change_count=rest.sums(flapping(series).change_count[tps]),
        is_joined=is_joined,
        **_runs(series, rest, _colors(series, members), starts),
    )


class _Rest(NamedTuple):
    """Partitions, the picture's row of each partition, and the number of rows of the picture."""

    tps: np.ndarray
    row: np.ndarray
    row_count: int

    def sums(self, values: np.ndarray) -> np.ndarray:
        result = np.zeros(self.row_count, dtype=np.int64)
        # Not bincount with weights: it adds floats, which lose records beyond 2 ** 53.
        np.add.at(result, self.row, values)
        return result


def _topics(topic: np.ndarray, lag: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the topics, largest lag first, and for each partition the index of its topic."""
    topics, code = np.unique(topic, return_inverse=True)
    order = np.lexsort((topics, -_Rest(topic, code, topics.size).sums(lag)))
    row = np.argsort(order)[code]
    if topics.size > most:
        return np.append(topics[order[: most - 1]], OTHER_TOPICS).astype(np.int64), np.minimum(
            row, most - 1
        )
    return topics[order].astype(np.int64), row


def _colors(series: Series, members: np.ndarray) -> np.ndarray:
    """Return for each member the index of its column in `owned`. The last entry is for partitions
    without an owner.
    """
    result = np.full(len(series.member_id) + 1, members.size)
    result[members] = np.arange(members.size)
    result[UNASSIGNED] = members.size + 1
    return result


def _starts(series: Series, tps: np.ndarray, most: int) -> tuple[np.ndarray, bool]:
    """Return the row numbers of the slots at which an owner changes or a gap ends. If there are
    more than `most`, leave some out and return True: gap ends stay, and the first slot in each part
    of the range.
    """
    is_shown = series.is_listed[:, tps] & series.shows_owners[:, None]
    cells = np.where(is_shown, series.owner[:, tps], np.int32(UNASSIGNED - 1))
    is_gap = np.diff(series.slot) > 1
    rows = np.append(0, np.flatnonzero((cells[1:] != cells[:-1]).any(axis=1) | is_gap) + 1)
    if rows.size <= most:
        return rows, False
    part = ((series.time[rows] - series.time[0]) / np.ptp(series.time) * most).astype(np.int64)
    return rows[np.append(True, np.diff(part) > 0) | is_gap[rows - 1]], True


def _runs(
    series: Series, rest: _Rest, color: np.ndarray, starts: np.ndarray
) -> dict[str, np.ndarray]:
    kinds, count = int(color.max()) + 1, starts.size
    cells = np.ix_(starts, rest.tps)
    place = (np.arange(count)[:, None] * rest.row_count + rest.row) * kinds + color[
        series.owner[cells]
    ]
    is_shown = series.is_listed[cells] & series.shows_owners[starts, None]
    sums = np.bincount(place[is_shown], minlength=count * rest.row_count * kinds)
    owned = sums.reshape(count, rest.row_count, kinds).swapaxes(0, 1)
    last = np.append(starts[1:], series.slot_count) - 1
    begin, end = series.time[starts], run_ends(series, last)
    is_first = np.ones(owned.shape[:2], dtype=bool)
    is_first[:, 1:] = (owned[:, 1:] != owned[:, :-1]).any(axis=2) | (begin[1:] != end[:-1])
    row, first = np.nonzero(is_first)
    is_last = np.append(row[1:] != row[:-1], True)
    until = np.where(is_last, count, np.append(first[1:], count)) - 1
    has_owner = owned[row, first].any(axis=1)
    return {
        "row": row[has_owner],
        "owned": owned[row, first][has_owner],
        "begin": begin[first][has_owner],
        "end": end[until][has_owner],
    }
