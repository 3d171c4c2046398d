"""The texts for findings over time: sentence, advice, commands to look and to act, short form.

A sentence has no time of day, because start and end are fields of the finding.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.data.episodes.subject import SIZES, Subject
from evenkeel.data.text.formats import counted, duration, number

MOST_SIGNS = 160
"""Most characters of a sentence or an advice."""

_WITHOUT_MEMBER = (Code.DOWN, Code.FORGOTTEN)
_LATEST = "a reader with auto.offset.reset=latest skips them"


Telling = Callable[[Subject], str]


class Words(NamedTuple):
    """The texts for a finding; `change`: a command that changes something, and its effect."""

    short: str
    sentence: Telling
    advice: Telling
    command: Telling
    change: Callable[[Subject], dict[str, str] | None] = lambda subject: None


def sentence(code: Code, subject: Subject) -> str:
    """Return the sentence of a finding, with as many names as fit into 160 characters."""
    return _fitted(WORDS[code].sentence, subject)


def advice(code: Code, subject: Subject) -> str:
    """Return the advice of a finding."""
    return _fitted(lambda each: WORDS[code].advice(each) + _by_segments(each), subject)


def _by_segments(subject: Subject) -> str:
    if "whether segments are deleted" not in subject.assumed:
        return ""
    return " Kafka may delete unread records: too few deletions were seen to say when."


def _fitted(telling: Telling, subject: Subject) -> str:
    text = ""
    for width, most in SIZES:
        text = telling(replace(subject, width=width, most=most))
        if len(text) <= MOST_SIGNS:
            break
    return text


def _records(value: float | None) -> str:
    if value is None:
        return "an unknown number of records"
    return "1 record" if value == 1 else f"{number(int(value))} records"


def _some(names: Sequence[str], singular: str, plural: str) -> str:
    return singular if len(names) == 1 else plural


def _reason(subject: Subject) -> str:
    """Return why records remain unread, such as `: pay-a does not read it`."""
    it = _some(subject.partitions, "it", "them")
    if subject.because in (Code.STALLED, Code.STUCK) and subject.members:
        do = _some(subject.members, "does", "do")
        return f": {subject.people()} {do} not read {it}"
    if subject.because == Code.NEVER_DRAINS and subject.members:
        reads = _some(subject.members, "reads", "read")
        return f": {subject.people()} {reads} {it} too slowly"
    reasons: dict[Code | None, str] = {
        **dict.fromkeys(_WITHOUT_MEMBER, ": the group has no member"),
        Code.UNREAD: f": nobody reads {it}",
        Code.BLOCKED: ": a transaction is open",
    }
    return reasons.get(subject.because, "")


def _lost(subject: Subject) -> str:
    records = subject.figures["records"]
    were = "was" if records == 1 else "were"
    head = f"At least {_records(records)} of {subject.tps()} {were} deleted"
    return f"{head} before {subject.name} read them{_reason(subject)}."


def _loses(subject: Subject) -> str:
    figures = subject.figures
    if figures["in_memory"]:
        who = f" of {subject.people()}" if subject.members else ""
        of = f"{_records(figures['in_memory'])} of {subject.tps()}"
        return f"A restart{who} loses {of}: these records are deleted and exist only in memory."
    lose = _some(subject.partitions, "loses", "lose")
    head = f"{subject.tps()} {lose} unread records"
    moment, word = figures["expected"], "in about"
    if moment is None:
        moment, word = figures["latest"], "within"
    if subject.now is None:
        return f"{head}{_reason(subject)}."
    if moment is None or moment <= subject.now:
        return f"{head} at any moment{_reason(subject)}."
    return f"{head} {word} {duration(moment - subject.now)}{_reason(subject)}."


def _down(subject: Subject) -> str:
    wait = _waiting(subject)
    return (
        f"{subject.name} has no member: {wait} on {counted(len(subject.partitions), 'partition')}."
    )


def _waiting(subject: Subject) -> str:
    lag, most = subject.figures["lag"], subject.figures.get("lag_at_most")
    if lag is None and most:
        return f"up to {_records(most)} wait"
    wait = "waits" if lag == 1 else "wait"
    return f"{_records(lag)} {wait}"


def _unread(subject: Subject) -> str:
    if subject.figures["lag"] is None and subject.figures["lag_at_most"]:
        have = _some(subject.partitions, "has", "have")
        return f"{subject.tps()} {have} no reader: {_waiting(subject)}, and {_LATEST}."
    head = f"Nobody reads {subject.tps()}: {_waiting(subject)}"
    if "whether a member subscribes" in subject.assumed:
        return f"{head}; whether a member still subscribes is not known."
    return f"{head}."


def _forgotten(subject: Subject) -> str:
    seen = subject.figures["last_member_seen"]
    return f"{subject.name} has had no member {_time_since(seen, subject)}: {_waiting(subject)}."


def _time_since(moment: float | None, subject: Subject) -> str:
    if moment is None or subject.now is None:
        return "for a long time"
    return f"for {duration(subject.now - moment)}"


def _silent(subject: Subject) -> str:
    time = _time_since(subject.figures["last_slot"], subject)
    reason = subject.figures["reason"]
    return f"{subject.name} has not been read {time}{f': {reason}' if reason else ''}."


def _blocked(subject: Subject) -> str:
    place = subject.figures["lso"]
    past = f"offset {place:,}" if len(subject.partitions) == 1 and place is not None else "it"
    head = f"A transaction is open on {subject.tps()}"
    return f"{head}: readers with isolation.level=read_committed cannot pass {past}."


def _stalled(subject: Subject) -> str:
    reads = _some(subject.members, "reads", "read")
    who = f"{subject.people()} {reads}" if subject.members else "The owner reads"
    places = counted(len(subject.partitions), "partition")
    return f"{who} nothing{_or_open(subject)}: {_waiting(subject)} on {places}."


def _stuck(subject: Subject) -> str:
    do = _some(subject.partitions, "does", "do")
    reads = _some(subject.members, "reads", "read")
    others = f", though {subject.people()} {reads} other partitions" if subject.members else ""
    if "owners" in subject.assumed:
        it = _some(subject.partitions, "it", "them")
        others = f"; whether a member owns {it} was not recorded"
    return f"{subject.tps()} {do} not move{_or_open(subject)}{others}: {_waiting(subject)}."


def _or_open(subject: Subject) -> str:
    return (
        ", or a transaction is open" if "whether a transaction is open" in subject.assumed else ""
    )


def _rewound(subject: Subject) -> str:
    records = _records(subject.figures["records"])
    return f"{subject.tps()} went back: {records} are read again."


def _never_drains(subject: Subject) -> str:
    reads = _some(subject.members, "reads", "read")
    who = f"{subject.people()} {reads}" if subject.members else f"{subject.name} reads"
    missing = f"{subject.figures['missing']:,.1f} records/s less than arrive in {subject.tps()}"
    return f"{who} {missing}: {_waiting(subject)}."


def _over_slo(subject: Subject) -> str:
    figures = subject.figures
    late = "late" if figures["lag_seconds"] is None else f"{duration(figures['lag_seconds'])} late"
    are = _some(subject.partitions, "is", "are")
    return f"{subject.tps()} {are} {late}, over the objective of {duration(figures['slo'])}."


def _unstable(subject: Subject) -> str:
    figures = subject.figures
    pace = f", every {duration(figures['pace'])}" if figures["pace"] else ""
    return f"{subject.people()} left and came back {figures['restarts']:,} times{pace}."


def _bursts(subject: Subject) -> str:
    count = counted(subject.figures["count"], "reading")
    return f"{subject.name} rebalances again and again: members or owners changed at {count}."


def _unknown(subject: Subject) -> str:
    have = _some(subject.partitions, "has", "have")
    no_leader = f"{_some(subject.partitions, 'it', 'they')} {have} no leader"
    why = no_leader if subject.figures["why"] == "no leader" else "its broker does not answer"
    return f"The lag of {subject.tps()} is unknown: {why}."


def _hot(subject: Subject) -> str:
    figures = subject.figures
    times = figures["times"]
    usual = f", {times:.1f} times as much as others of the topic" if times else ""
    get = _some(subject.partitions, "gets", "get up to")
    return f"{subject.tps()} {get} {figures['rate']:,.1f} records/s{usual}."


def _idle(subject: Subject) -> str:
    have = _some(subject.members, "has", "have")
    return f"{subject.people()} {have} no partition while other members have some."


def _left(subject: Subject) -> str:
    left = _records(subject.figures["left_lag"])
    return (
        f"No member of {subject.name} subscribes to {subject.topic_names()} any more: {left} are"
        " left there."
    )


def _always(text: str) -> Telling:
    return lambda subject: text


def _describe(arguments: str = "") -> Telling:
    return lambda subject: subject.describe(arguments)


def _unread_advice(subject: Subject) -> str:
    if subject.figures["lag"] is None and subject.figures["lag_at_most"]:
        return (
            "Restart one member, or lower metadata.max.age.ms: members have not noticed the new"
            " partitions."
        )
    return "See who should read it: a wrong subscription, or a rebalance that has not ended."


def _lost_advice(subject: Subject) -> str:
    if subject.because in _WITHOUT_MEMBER:
        return "Raise retention.ms, start its consumers, then get lost records from their source."
    return "Raise retention.ms until the group has caught up. Get lost records from their source."


def _loses_advice(subject: Subject) -> str:
    if subject.figures["in_memory"]:
        return "Do not restart members before the group has caught up."
    start = " Start its consumers." if subject.because in _WITHOUT_MEMBER else ""
    return f"Raise retention.ms of {subject.topic_names()} until {subject.name} has drained.{start}"


WORDS = {
    Code.LOST: Words(
        "Lost records",
        _lost,
        _lost_advice,
        Subject.topic_settings,
        Subject.longer_retention,
    ),
    Code.LOSES: Words(
        "Loses records",
        _loses,
        _loses_advice,
        _describe(),
        Subject.longer_retention,
    ),
    Code.DOWN: Words(
        "No member",
        _down,
        _always("Start its consumers, or find out why all of them have stopped."),
        _describe("--state"),
    ),
    Code.UNREAD: Words("No owner", _unread, _unread_advice, _describe("--members --verbose")),
    Code.BLOCKED: Words(
        "Open transaction",
        _blocked,
        _always(
            "Find the producer that left its transaction open. Restarting consumers does not help."
        ),
        Subject.hanging_transactions,
    ),
    Code.STALLED: Words(
        "Reads nothing",
        _stalled,
        lambda subject: (
            f"Look at {subject.people() if subject.members else 'the owner'}: alive, in a long"
            " poll, or paused?"
        ),
        _describe("--members"),
    ),
    Code.STUCK: Words(
        "Stuck",
        _stuck,
        lambda subject: f"Look at the next record of {subject.tps()}, skip it only knowingly.",
        _describe(),
    ),
    Code.REWOUND: Words(
        "Rewound",
        _rewound,
        _always("Find out who reset the offsets, or which member committed an old position."),
        _describe(),
    ),
    Code.NEVER_DRAINS: Words(
        "Never drains",
        _never_drains,
        _always(
            "Make reading faster, or add members while there are more partitions than members."
        ),
        _describe("--members"),
    ),
    Code.OVER_SLO: Words(
        "Late",
        _over_slo,
        _always("Find out why the group is late: its time lag is above the objective."),
        _describe(),
    ),
    Code.UNSTABLE: Words(
        "Restarts",
        _unstable,
        lambda subject: (
            f"Look at the logs of {subject.people()}: it crashes, is killed, or is too slow to"
            " poll."
        ),
        _describe("--members"),
    ),
    Code.BURSTS: Words(
        "Rebalances",
        _bursts,
        _always(
            "See who joins and leaves. Static members with a long session timeout restart without"
            " a rebalance."
        ),
        _describe("--members --verbose"),
    ),
    Code.SILENT: Words(
        "Not read",
        _silent,
        _always("See whether the cluster answers: nothing is known since the last slot."),
        _describe("--state"),
    ),
    Code.UNKNOWN: Words(
        "Unknown",
        _unknown,
        _always("See which broker is down, and whether another replica can lead."),
        Subject.topic_replicas,
    ),
    Code.HOT_PARTITION: Words(
        "Hot",
        _hot,
        _always(
            "Find the key with the most records, and split it. Waiting records stay in their"
            " partition."
        ),
        _describe(),
    ),
    Code.IDLE: Words(
        "Idle",
        _idle,
        _always("They have nothing to read: fewer members are enough."),
        _describe("--members"),
    ),
    Code.FORGOTTEN: Words(
        "Forgotten",
        _forgotten,
        _always("Delete the group if nobody needs it, or start its consumers."),
        _describe("--state"),
    ),
    Code.LEFT: Words(
        "Left",
        _left,
        _always("Nothing to do: commits of a topic without subscribers expire."),
        _describe("--members --verbose"),
        Subject.deleted_commits,
    ),
}
"""By code."""
