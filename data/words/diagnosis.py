"""What is wrong with a group, in one sentence each."""

from collections.abc import Mapping, Sequence

from typing import NamedTuple

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.history.diagnosis import Diagnosis, Illness, VerdictAge, diagnoses
from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.series import Series
from evenkeel.data.words.durations import duration
from evenkeel.data.words.history import restart_words
from evenkeel.data.words.lists import counted, listed
from evenkeel.data.words.names import names_in

MOST = 2
"""Sentences that a page has room for; the worst come first."""

_EAGER = ("range", "roundrobin", "sticky")
"""Kafka's protocols under which every member gives up all its partitions in a rebalance."""

_ONES = {1: "one is", 2: "two are", 3: "three are"}


class Sentence(NamedTuple):
    """What is wrong, without a full stop; `since`: seconds since 1970 from which on the history shows it, NaN where none does."""

    text: str
    illness: Illness
    since: float


def told(
    found: Now | None,
    group: GroupSnapshot | None = None,
    group_type: str | None = None,
    assignor: str | None = None,
    names: Mapping[str, str] | None = None,
    age: VerdictAge | None = None,
) -> tuple[Sentence, ...]:
    """Return the sentences about a group, the worst first, at most `MOST`.

    `found`, `group`, `group_type`, `age` as `diagnoses` has them; `assignor`: Kafka's word of the protocol in use; `names`: short names by
    member id.
    """
    series = None if found is None else found.series
    return tuple(
        Sentence(_words(one, series, group, assignor, names or {}), one.illness, one.since)
        for one in diagnoses(found, group, group_type, age)[:MOST]
    )


def _words(found: Diagnosis, series: Series | None, group: GroupSnapshot | None, assignor: str | None, names: Mapping[str, str]) -> str:
    if found.illness == Illness.IDLE:
        return _idle(int(found.figure), group.member_count)
    if found.illness == Illness.RESTARTS:
        pauses = "all partitions pause" if assignor in _EAGER else "the group rebalances"
        who = listed(_name(one.member, series, names) for one in found.restarts)
        return f"{who} {restart_words(found.restarts, series.time[-1])}; each time {pauses}"
    if found.illness == Illness.UNREAD:
        return f"No consumer reads {_partitions(found.tps, series)}: no progress for {_time(found)}"
    if found.illness in (Illness.NOT_READ, Illness.NOT_YET_READ):
        name, them = _name(found.member, series, names), "it" if len(found.tps) == 1 else "them"
        if found.illness == Illness.NOT_READ and found.is_of_verdict:
            has = "has" if len(found.tps) == 1 else "have"
            return f"{name} owns {_partitions(found.tps, series)}, which {has} made no progress for {_time(found)}"
        if found.illness == Illness.NOT_READ:
            return f"{name} owns {_partitions(found.tps, series)} but has not read {them} for {_time(found)}"
        made = f"{_partitions(found.tps, series)} made no progress for {_time(found)}"
        return f"{made}; {name} has had {them} for {duration(found.held)} at most"
    return f"Records arrive {found.figure:,.1f} times as fast as the members read"


def _name(member: int, series: Series, names: Mapping[str, str]) -> str:
    return names.get(series.member_id[member]) or names_in(series)[member]


def _idle(idle: int, member_count: int) -> str:
    who = _ONES.get(idle, f"{idle:,} are")
    return f"{counted(member_count, 'member')}, {counted(member_count - idle, 'partition')}: {who} always idle"


def _time(found: Diagnosis) -> str:
    return f"{duration(found.figure)}{' or longer' * found.is_least}"


def _partitions(tps: Sequence[int], series: Series) -> str:
    first = f"{series.topic_name[series.topic[tps[0]]]}-{series.partition[tps[0]]}"
    return first if len(tps) == 1 else f"{first} and {len(tps) - 1:,} more"
