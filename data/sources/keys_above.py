"""Keys and values that tools print above a table: `GROUP: orders`, `STATE  Stable`."""

import re

from evenkeel.data.sources.synonyms import plain

COLUMN_OF_KEY = {
    "state": "group_state",
    "groupstate": "group_state",
    "balancer": "assignor",
    "protocol": "assignor",
    "assignor": "assignor",
    "assignmentstrategy": "assignor",
    "partitionassignor": "assignor",
    "topic": "topic",
    "topicname": "topic",
    "kafkatopic": "topic",
}
"""The column of each key above a table."""

OTHER_KEYS = {
    "coordinator",
    "coordinatornode",
    "coordinatorpartition",
    "coordinatorid",
    "members",
    "totallag",
    "error",
    "protocoltype",
    "cluster",
    "partitions",
    "type",
}
"""Keys above a table that have no column."""

GROUP_KEYS = {"group", "groupid", "consumergroup", "groupname", "consumergroupid", "redpandagroup"}
SUMS = {"total", "sum", "totals", "totallag"}
"""Keys and first cells of lines with a total."""

_KEY = re.compile(
    r"(\s*)([A-Za-z#][\w #()-]{0,40}?)(?:\s*[:=]\s+|\s*[:=]\s*$|\s*\|\s*|\t+|\s{2,})(.*)"
)
_COLLAPSED = re.compile(r"()([A-Z][A-Z-]+) (\S+)")
"""A key in capitals and its value, if runs of blanks were collapsed to one blank."""


def key_and_value(line: str) -> re.Match | None:
    """Match a line with a key and a value. The match has three groups: indent, key and value."""
    return _KEY.fullmatch(line) or _COLLAPSED.fullmatch(line)


def is_about_group(line: str) -> bool:
    """Return whether a line is a key and a value of a group, as tools print them above a table."""
    match = _KEY.fullmatch(line)
    return match is not None and plain(match[2]) in {*GROUP_KEYS, *COLUMN_OF_KEY, *OTHER_KEYS}
