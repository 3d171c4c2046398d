"""The summary of a diagnosed group, for lists of groups; it has no arrays."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.finding import Class, Code, Severity
from evenkeel.data.diagnosis.answer import Answer
from evenkeel.data.group.document import Leader
from evenkeel.data.text.formats import UNKNOWN, at_least, number

MOST_BARS = 16

_URGENCY = (Class.NEED, Class.UNKNOWN, Class.LATER, Class.RECOVER, Class.FINE)
_CODES = list(Code)


class Part(StrEnum):
    """What a bar shows: an affected member, another member, or a partition without owner."""

    SUBJECT = "subject"
    OTHER = "other"
    UNOWNED = "unowned"


class Bar(NamedTuple):
    """The lag of a member or of a partition without owner, as a bar.

    `share`: the bar's length, as a fraction of the longest bar.
    """

    share: float
    part: Part


@dataclass(frozen=True)
class Summary:
    """The summary of one diagnosed group.

    Parameters
    ----------
    lag : int or None
        Records, None if all lag is unknown.
    lag_text, lag_note : str
        The lag in words, and its least and greatest value if some partitions were never committed.
    left_lag : int
        Lag on topics to which no member subscribes any more.
    is_least : bool
        Whether the problem began before `since`, because the first reading already shows it.
    most_at, host : str
        The member with the most lag, and its host; empty if no member has lag.
    bars : tuple of Bar
        The `MOST_BARS` largest lags: members by name, then partitions without owner.
    names : str
        Group, topics, member ids, client ids, hosts and instance ids, one a line.
    """

    group_id: str | None
    group_class: Class
    is_ignored: bool
    code: Code
    severity: Severity
    sentence: str
    advice: str
    command: str | None
    short: str
    lag: int | None
    lag_text: str
    lag_note: str
    most_at: str
    host: str
    bars: tuple[Bar, ...]
    member_count: int
    partition_count: int
    topics: tuple[str, ...]
    names: str
    rank: tuple
    since: float | None
    taken_at: datetime | None
    group_type: str | None
    assignor: str | None
    leader: Leader | None
    left_lag: int = 0
    is_least: bool = False


def summary_of(answer: Answer) -> Summary:
    """Return the summary of one diagnosed group."""
    case, observed = answer.case, answer.observed
    group = observed.snapshot
    is_read = np.zeros(len(group.topic_name), dtype=bool)
    is_read[group.tp_topic[case.now.is_read]] = True
    topics = tuple(name for row, name in enumerate(group.topic_name) if is_read[row])
    most_at, host = _most_at(answer)
    ids = (group.member_id, observed.client_id, observed.host, group.instance_id)
    names = {name for column in ids for name in column if name}
    return Summary(
        group_id=answer.names.group_id,
        group_class=answer.group_class,
        is_ignored=answer.diagnosis.is_ignored,
        code=answer.code,
        severity=answer.headline.severity,
        sentence=answer.sentence,
        advice=answer.advice,
        command=answer.command,
        short=answer.short,
        lag=case.total,
        lag_text=_lag_text(case),
        lag_note=_lag_note(case),
        left_lag=case.left_lag,
        most_at=most_at,
        host=host,
        bars=_bars(answer),
        member_count=len(group.member_id),
        partition_count=int(np.count_nonzero(case.now.is_read)),
        topics=topics,
        names="\n".join([answer.names.group_id or "", *topics, *sorted(names)]),
        rank=rank(answer),
        since=answer.headline.since,
        is_least=answer.headline.is_least,
        taken_at=observed.taken_at,
        group_type=observed.group_type,
        assignor=observed.assignor,
        leader=observed.leader,
    )


def _lag_text(case: Case) -> str:
    """Return the lag in words: `453 k`, or `≥ 453 k` if a part is unknown."""
    if case.total is None and not _is_bounded(case):
        return UNKNOWN
    return at_least(number(case.total or 0), bool(case.unknown_count))


def _lag_note(case: Case) -> str:
    """Return the least and greatest lag, if missing commits are the only reason of unknown lag."""
    if not _is_bounded(case):
        return ""
    least = case.total or 0
    most = least + int(case.at_most.sum())
    return f"between {number(least)} and {number(most)}: some partitions were never committed"


def _is_bounded(case: Case) -> bool:
    return 0 < case.unknown_count == np.count_nonzero(case.at_most)


def rank(answer: Answer) -> tuple:
    """Return a group's sort key; the most urgent group is first."""
    headline = answer.headline
    return (
        _URGENCY.index(answer.group_class),
        -headline.severity,
        _CODES.index(headline.code),
        -(headline.lag or 0),
        answer.names.group_id or "",
    )


def _most_at(answer: Answer) -> tuple[str, str]:
    lag = _member_lag(answer.case)
    if not lag.any():
        return "", ""
    row = int(lag.argmax())
    observed = answer.observed
    name = observed.client_id[row] or observed.snapshot.member_id[row]
    return name, (observed.host[row] or "").removeprefix("/")


def _member_lag(case: Case) -> np.ndarray:
    """Return the known lag of each member, int64 (M,); 0 if owners are unknown."""
    lag = np.zeros(case.member_count, dtype=np.int64)
    if case.owner is not None:
        is_owned = case.owner != UNASSIGNED
        np.add.at(lag, case.owner[is_owned], case.known[is_owned])
    return lag


def _bars(answer: Answer) -> tuple[Bar, ...]:
    case = answer.case
    if case.owner is None or case.total is None:
        return ()
    subject = {*answer.headline.members, *case.owner[list(answer.headline.tps)].tolist()}
    lag = _member_lag(case)
    order = sorted(range(case.member_count), key=answer.names.member)
    loads = [(int(lag[row]), Part.SUBJECT if row in subject else Part.OTHER) for row in order]
    loads += [(int(case.known[tp]), Part.UNOWNED) for tp in np.flatnonzero(case.is_unread)]
    most = max((load for load, _ in loads), default=0) or 1
    least = sorted((load for load, _ in loads), reverse=True)[:MOST_BARS][-1:]
    shown = [each for each in loads if each[0] >= least[0]][:MOST_BARS] if least else []
    return tuple(Bar(load / most, part) for load, part in shown)
