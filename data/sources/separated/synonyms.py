"""Which column a name in a header most likely is."""

import re
from collections.abc import Iterator, Sequence

from data.sources.parsing.named_columns import NamedColumns, labels

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


def guessed_places(header: Sequence[str]) -> dict[str, int]:
    """Guess which column of OFFSETS each cell of a header is; unrecognised cells are left out."""
    plain = [_IGNORED.sub("", cell).lower() for cell in header]
    found = {column: next((plain.index(name) for name in names if name in plain), None) for column, names in SYNONYMS.items()}
    return {column: place for column, place in found.items() if place is not None}


def column_places(header: Sequence[str], named: NamedColumns) -> dict[str, int]:
    """Return the places of columns by the names that a person gives, and of other columns by a guess; missing names are left out."""
    place_of = {cell.casefold(): place for cell, place in _named_places(header)}
    chosen = {column: place_of[name.casefold()] for column, name in named.names if name.casefold() in place_of}
    if named.header is not None:
        return chosen
    guessed = guessed_places(["" if place in chosen.values() else cell for place, cell in enumerate(header)])
    return {column: place for column, place in guessed.items() if column not in dict(named.names)} | chosen


def _named_places(header: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield names with their places; later ones win: of equal names the first, and names in the header before labels."""
    yield from ((label, place) for place, label in enumerate(labels(header)))
    yield from ((cell, place) for place, cell in reversed([*enumerate(header)]))
