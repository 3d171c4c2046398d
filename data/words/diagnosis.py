"""What is wrong with a group, in one sentence each."""

from collections.abc import Mapping, Sequence

from assignors.history.diagnosis import Diagnosis, Illness, diagnoses
from assignors.history.now import Now
from assignors.history.series import Series
from data.words.durations import duration
from data.words.history import restart_words, restarts_of
from data.words.lists import counted
from data.words.names import names_in

MOST = 2
"""Sentences that a page has room for; the worst come first."""

_EAGER = ("range", "roundrobin", "sticky")
"""Kafka's protocols under which every member gives up all its partitions in a rebalance."""

_ONES = {1: "one is", 2: "two are", 3: "three are"}


def told(found: Now, assignor: str | None = None, names: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the sentences about a group as of the last slot of its history, at most `MOST`; the rest as `diagnosis_words`."""
    return tuple(diagnosis_words(one, found.series, assignor, names) for one in diagnoses(found)[:MOST])


def diagnosis_words(found: Diagnosis, series: Series, assignor: str | None = None, names: Mapping[str, str] | None = None) -> str:
    """Return the sentence without its full stop; `assignor`: Kafka's word of the protocol in use, `names`: short names by member id."""
    name = ""
    if found.member >= 0:
        name = (names or {}).get(series.member_id[found.member]) or names_in(series)[found.member]
    if found.illness == Illness.UNREAD:
        return f"No consumer reads {_partitions(found.tps, series)}: no progress for {_time(found)}"
    if found.illness == Illness.NOT_READ:
        them = "it" if len(found.tps) == 1 else "them"
        return f"{name} owns {_partitions(found.tps, series)} but has not read {them} for {_time(found)}"
    if found.illness == Illness.RESTARTS:
        pauses = "all partitions pause" if assignor in _EAGER else "the group rebalances"
        return f"{name} {restart_words(restarts_of(series, found.member))}; each time {pauses}"
    return f"Records arrive {found.figure:,.1f} times as fast as the members read"


def idle_words(found: Diagnosis, member_count: int) -> str:
    """`5 members, 4 partitions: one is always idle`."""
    idle = int(found.figure)
    who = _ONES.get(idle, f"{idle:,} are")
    return f"{counted(member_count, 'member')}, {counted(member_count - idle, 'partition')}: {who} always idle"


def _time(found: Diagnosis) -> str:
    return f"{duration(found.figure)}{' or longer' * found.is_least}"


def _partitions(tps: Sequence[int], series: Series) -> str:
    first = f"{series.topic_name[series.topic[tps[0]]]}-{series.partition[tps[0]]}"
    return first if len(tps) == 1 else f"{first} and {len(tps) - 1:,} more"
