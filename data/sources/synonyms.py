"""Synonyms: the names of columns, keys and labels in tables, CSV, JSON, YAML and metrics."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

SYNONYMS = {
    "taken_at": ("takenat", "ts", "timestamp", "time", "snapshotts", "updatetimestamp"),
    "group_id": (
        "groupid",
        "group",
        "consumergroup",
        "consumergroupid",
        "groupname",
        "consumergroupname",
        "redpandagroup",
    ),
    "topic": ("topic", "topicname", "kafkatopic", "redpandatopic"),
    "partition": (
        "partition",
        "partitionid",
        "pid",
        "#",
        "partitionindex",
        "part",
        "kafkapartition",
        "redpandapartition",
    ),
    "begin_offset": (
        "beginoffset",
        "beginningoffset",
        "logstart",
        "logstartoffset",
        "earliest",
        "earliestoffset",
        "begin",
        "firstoffset",
        "oldestoffset",
        "lowwatermark",
        "looffset",
    ),
    "committed_offset": (
        "committedoffset",
        "committed",
        "commitoffset",
        "currentoffset",
        "consumeroffset",
        "groupoffset",
        "offset",
    ),
    "end_offset": (
        "endoffset",
        "logend",
        "logendoffset",
        "logsize",
        "highwatermark",
        "highwatermarkoffset",
        "hwm",
        "latestoffset",
        "newestoffset",
        "lastoffset",
        "leo",
        "hioffset",
        "size",
        "end",
    ),
    "listed_lag": (
        "lag",
        "consumerlag",
        "offsetlag",
        "messagesbehind",
        "currentlag",
        "recordslag",
        "lagoffsets",
    ),
    "member_id": (
        "memberid",
        "consumerid",
        "member",
        "consumer",
        "owner",
        "consumerinstanceowner",
    ),
    "instance_id": ("instanceid", "groupinstanceid", "instance"),
    "client_id": ("clientid", "client"),
    "host": ("host", "memberhost", "clienthost", "ownerhost", "consumerhost", "consumerip"),
}
"""Names of each column of OFFSETS, the clearest name first. Case, accents, blanks and `_ - . / ( )`
are ignored.
"""

ABOUT_GROUPS = {
    "group_state": ("state", "groupstate", "consumergroupstate"),
    "assignor": (
        "assignor",
        "partitionassignor",
        "assignmentstrategy",
        "balancer",
        "protocol",
        "groupprotocol",
        "balanceprotocol",
    ),
}
"""Names of columns of MEMBERS that describe the group."""

ASSIGNED = (
    "assignedpartitions",
    "partitionids",
    "topicpartitions",
    "assignments",
    "assignment",
    "memberassignment",
    "partitions",
)
"""Names of a member's partitions; `partitions` counts only if its value is a list."""

_EVERY = SYNONYMS | ABOUT_GROUPS | {"assigned": ASSIGNED}
_RANK = {
    name: (column, rank) for column, names in _EVERY.items() for rank, name in enumerate(names)
}
_IGNORED = re.compile(r"[\s._/()\u00ad-]")


@lru_cache(4096)
def plain(name: str) -> str:
    """Return a name in lower case, without accents, blanks and punctuation."""
    letters = unicodedata.normalize("NFKD", _IGNORED.sub("", name.strip(" *`\"'")))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()


def column_of(name: str) -> str | None:
    """Return the column that a name means, None if the name is unknown."""
    return _rank_of(name)[0]


@lru_cache(4096)
def _rank_of(name: str) -> tuple[str | None, int]:
    """Return the column that a name means, and the name's rank: 0 for the clearest name. Of a
    Metricbeat path such as `kafka.topic.name`, the last two names together are tried, then only the
    last.
    """
    known = _RANK.get(plain(name))
    parts = name.strip(" \"'").split(".")
    if known is None and parts[0] == "kafka" and len(parts) > 2:
        known = _RANK.get(plain("".join(parts[-2:]))) or _RANK.get(plain(parts[-1]))
    return known or (None, 0)


def columns_of(names: Iterable[str]) -> dict[str, int]:
    """Return for each column the index of its name. If several names mean the same column, the
    clearest name is used.
    """
    places: dict[str, tuple[int, int]] = {}
    for place, name in enumerate(names):
        column, rank = _rank_of(name)
        if column is not None and (column not in places or rank < places[column][0]):
            places[column] = rank, place
    return {column: place for column, (_, place) in places.items()}


def known_words(words: Sequence[str]) -> list[str]:
    """Join words into the longest known names: `CURRENT OFFSET` is one header cell."""
    cells: list[str] = []
    at = 0
    while at < len(words):
        size = next(
            (size for size in (3, 2) if column_of(" ".join(words[at : at + size]) or "-")), 1
        )
        size = min(size, len(words) - at)
        cells.append(" ".join(words[at : at + size]))
        at += size
    return cells
