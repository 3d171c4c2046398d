"""Which column the name of a header is most likely to be."""

import re
from collections.abc import Sequence

SYNONYMS = {
    "taken_at": ("takenat", "ts", "timestamp", "time", "snapshotts"),
    "group_id": ("groupid", "group", "consumergroup", "consumergroupid"),
    "topic": ("topic", "topicname", "kafkatopic"),
    "partition": ("partition", "partitionid", "pid", "#", "part", "kafkapartition"),
    "begin_offset": ("beginoffset", "logstart", "logstartoffset", "earliest", "earliestoffset", "begin", "firstoffset", "lowwatermark"),
    "committed_offset": ("committedoffset", "committed", "currentoffset", "consumeroffset", "groupoffset", "offset"),
    "end_offset": ("endoffset", "logend", "logendoffset", "logsize", "highwatermark", "hwm", "latestoffset", "leo"),
    "listed_lag": ("lag", "consumerlag", "offsetlag", "messagesbehind", "currentlag"),
    "member_id": ("memberid", "consumerid", "member", "consumer", "owner"),
    "instance_id": ("instanceid", "groupinstanceid", "instance"),
    "client_id": ("clientid", "client"),
    "host": ("host", "memberhost", "clienthost", "ownerhost"),
}
"""Column of OFFSETS to header names, without case, blanks, `-`, `_` and `.`, the clearest first."""

_IGNORED = re.compile(r"[\s._-]")


def guess(header: Sequence[str]) -> dict[str, int]:
    """Return which column of OFFSETS each cell of a header is most likely to be; what is not recognised is left out."""
    plain = [_IGNORED.sub("", cell).lower() for cell in header]
    found = {column: next((plain.index(name) for name in names if name in plain), None) for column, names in SYNONYMS.items()}
    return {column: place for column, place in found.items() if place is not None}


def mapped(header: Sequence[str], columns: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the places of columns by the names that a person gives, and of all others as they are guessed; a name that is not there is left out."""
    plain = [cell.casefold() for cell in header]
    chosen = {column: plain.index(name.casefold()) for column, name in columns if name.casefold() in plain}
    guessed = guess(["" if place in chosen.values() else cell for place, cell in enumerate(header)])
    named = dict(columns)
    return {column: place for column, place in guessed.items() if column not in named} | chosen
