"""The headers that Kafka's tools print, each with what it announces."""

from itertools import product
from typing import NamedTuple


class Dialect(NamedTuple):
    """`kind`: offsets, members, state, those of streams groups, or `unread` for a listing that is recognised but not read.

    `format` is for people.
    """

    kind: str
    format: str


_TOOL = "kafka-consumer-groups"
_OFFSETS = "PARTITION,CURRENT-OFFSET,LOG-END-OFFSET,LAG"
_CONSUMER = "CONSUMER-ID,HOST,CLIENT-ID"
_TARGET = "CURRENT-EPOCH,CURRENT-ASSIGNMENT,TARGET-EPOCH,TARGET-ASSIGNMENT"
_STATE = "COORDINATOR (ID),ASSIGNMENT-STRATEGY,STATE"

_WRITTEN = {
    "Group,Topic,Pid,Offset,logSize,Lag,Owner": Dialect("offsets", "ConsumerOffsetChecker, Kafka 0.8.2"),
    "GROUP,TOPIC,PARTITION,CURRENT OFFSET,LOG END OFFSET,LAG,OWNER": Dialect("offsets", f"{_TOOL} --describe, Kafka 0.9.0"),
    f"GROUP,TOPIC,{_OFFSETS},OWNER": Dialect("offsets", f"{_TOOL} --describe, Kafka 0.10.0 to 0.10.1"),
    f"TOPIC,{_OFFSETS},CONSUMER-ID": Dialect("offsets", f"{_TOOL} --describe, Kafka 0.10.2 to 1.1, ZooKeeper"),
    f"TOPIC,{_OFFSETS},{_CONSUMER}": Dialect("offsets", f"{_TOOL} --describe, Kafka 0.10.2 to 2.2"),
    f"GROUP,TOPIC,{_OFFSETS},{_CONSUMER}": Dialect("offsets", f"{_TOOL} --describe, Kafka 2.3 to 4.x"),
    f"GROUP,TOPIC,{_OFFSETS.replace('N,', 'N,LEADER-EPOCH,', 1)},{_CONSUMER}": Dialect(
        "offsets", f"{_TOOL} --describe --verbose, Kafka 4.x"
    ),
    f"{_STATE},#MEMBERS": Dialect("state", f"{_TOOL} --describe --state, Kafka 2.0 to 2.2"),
    f"GROUP,{_STATE},#MEMBERS": Dialect("state", f"{_TOOL} --describe --state, Kafka 2.3 to 4.x"),
    f"GROUP,{_STATE},GROUP-EPOCH,TARGET-ASSIGNMENT-EPOCH,#MEMBERS": Dialect("state", f"{_TOOL} --describe --state --verbose, Kafka 4.x"),
    "GROUP,TYPE,STATE": Dialect("state", f"{_TOOL} --list --type --state"),
    "GROUP,TYPE": Dialect("state", f"{_TOOL} --list --type"),
    "GROUP,STATE": Dialect("state", f"{_TOOL} --list --state"),
    f"{_CONSUMER},#PARTITIONS": Dialect("members", f"{_TOOL} --describe --members, Kafka 2.0 to 2.2"),
    f"{_CONSUMER},#PARTITIONS,ASSIGNMENT": Dialect("members", f"{_TOOL} --describe --members --verbose, Kafka 2.0 to 2.2"),
}

_STREAMS_TOOL = "kafka-streams-groups"
_PARTITION = "GROUP,TOPIC,PARTITION"
_PROCESS = "PROCESS,CLIENT-ID"
_EPOCHS = "GROUP,TARGET-ASSIGNMENT-EPOCH,TOPOLOGY-EPOCH,MEMBER,MEMBER-PROTOCOL,MEMBER-EPOCH"
_STREAMS_STATE = "GROUP,COORDINATOR (ID),STATE"
_WRITTEN |= {
    f"{_PARTITION},OFFSET-LAG": Dialect("streams-offsets", f"{_STREAMS_TOOL} --describe"),
    f"{_PARTITION},LEADER-EPOCH,OFFSET-LAG": Dialect("streams-offsets", f"{_STREAMS_TOOL} --describe --verbose, first form"),
    f"{_PARTITION},CURRENT-OFFSET,LEADER-EPOCH,LOG-END-OFFSET,OFFSET-LAG": Dialect(
        "streams-offsets", f"{_STREAMS_TOOL} --describe --verbose"
    ),
    f"GROUP,MEMBER,{_PROCESS}": Dialect("streams-members", f"{_STREAMS_TOOL} --describe --members, first form"),
    f"GROUP,MEMBER,{_PROCESS},ASSIGNMENTS": Dialect("streams-members", f"{_STREAMS_TOOL} --describe --members"),
    f"{_EPOCHS},{_PROCESS}": Dialect("streams-members", f"{_STREAMS_TOOL} --describe --members --verbose, first form"),
    f"{_EPOCHS},{_PROCESS},ASSIGNMENTS": Dialect("streams-members", f"{_STREAMS_TOOL} --describe --members --verbose"),
    f"{_STREAMS_STATE},#MEMBERS": Dialect("state", f"{_STREAMS_TOOL} or kafka-share-groups --describe --state"),
    f"{_STREAMS_STATE},GROUP-EPOCH,TARGET-ASSIGNMENT-EPOCH,#MEMBERS": Dialect("state", f"{_STREAMS_TOOL} --describe --state --verbose"),
}
_ASSIGNOR = {"ASSIGNOR", "TASK-ASSIGNOR"}
"""Kafka's newest sources print the assignor of a streams group in one more column of `--state`."""

_STREAMS = Dialect("unread", "a listing of a streams group")
_SHARE = Dialect("unread", "a listing of a share group")
_UNREAD = {
    "OFFSET-LAG": _STREAMS,
    "TOPOLOGY-EPOCH": _STREAMS,
    "PROCESS": _STREAMS,
    "START-OFFSET": _SHARE,
    "MEMBER-EPOCH": _SHARE,
    "NEW-OFFSET": Dialect("unread", "a plan of --reset-offsets, not offsets that are committed"),
}
_UNKNOWN = Dialect("unread", "a listing with columns that no known tool prints")
_OTHER_WORDS = {
    "MEMBER",
    "ASSIGNMENTS",
    "MEMBER-PROTOCOL",
    "PROTOCOL",
    "ASSIGNOR",
    "LOG-START-OFFSET",
    "MEMBER-ID",
    "INSTANCE-ID",
    "ERROR",
    "TASK-ASSIGNOR",
}


def _members():
    """Yield the headers of `--members` since 2.3: static members, --verbose, KIP-848's epochs, members of both protocols."""
    consumers = {_CONSUMER: "2.3", _CONSUMER.replace(",", ",GROUP-INSTANCE-ID,", 1): "2.6"}
    for consumer, since in consumers.items():
        yield f"GROUP,{consumer},#PARTITIONS", Dialect("members", f"{_TOOL} --describe --members, Kafka {since} to 4.x")
        yield (
            f"GROUP,{consumer},#PARTITIONS,ASSIGNMENT",
            Dialect("members", f"{_TOOL} --describe --members --verbose, Kafka {since} to 3.9"),
        )
    for consumer, upgraded in product(consumers, ("", ",UPGRADED")):
        yield f"GROUP,{consumer},#PARTITIONS,{_TARGET}{upgraded}", Dialect("members", f"{_TOOL} --describe --members --verbose, Kafka 4.x")


_DIALECTS = {tuple(words.split(",")): dialect for words, dialect in (*_WRITTEN.items(), *_members())}
_WORDS = {word for words in _DIALECTS for word in words} | set(_UNREAD) | _OTHER_WORDS


def dialect_of(words: tuple[str, ...]) -> Dialect | None:
    """Return what these header cells announce, None when they are no header."""
    if words in _DIALECTS or len(words) < 2 or not _WORDS.issuperset(words):
        return _DIALECTS.get(words)
    without = _DIALECTS.get(tuple(word for word in words if word not in _ASSIGNOR))
    if without is not None and without.kind == "state":
        return Dialect("state", f"{_STREAMS_TOOL} --describe --state with the assignor")
    return next((_UNREAD[word] for word in words if word in _UNREAD), _UNKNOWN)
