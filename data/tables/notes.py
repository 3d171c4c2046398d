"""Kinds of notes, and what a tool says of a group in passing: that it is rebalancing, or that no member runs."""

import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.words.formats import listed

HEADER = "header"
MESSAGE = "message of the tool"
ERROR = "error of the tool"
REBALANCING = "the group is rebalancing: its owners are those of a moment"
NO_MEMBERS = "the group has no active members"
REPEAT = "repeats an earlier line"
TIME = "time of the listings below it: "
"""The kind of a line that says when the listings below it were printed goes on with the time."""

_NOT_USED = f"{HEADER}; not used: "
IS_NOT_USED = pc.starts_with(pc.field("reason"), _NOT_USED)
"""Chooses the rows of NOTES that `not_used` reads."""

_MOST_NAMES, _LONGEST_NAME = 12, 60

_GROUP = r"\W*(?:\w+: )?(?:The )?(?:[Cc]onsumer|[Ss]treams|[Ss]hare) group ['\u2018\u2019\"\u201c](.*)['\u2019\"\u201d] "
_OF_GROUP = {
    REBALANCING: re.compile(rf"{_GROUP}is rebalancing\.?\s*"),
    NO_MEMBERS: re.compile(rf"{_GROUP}has no active members\.?\s*"),
}
_ERROR = re.compile(r"\W*(Error|ERROR|FATAL)\b|Caused by: |Exception in thread |.*(Exception|Error)(: |$)")


def kind_of(text: str) -> str:
    """Return the kind of a message that a tool prints beside a listing."""
    of_group = next((kind for kind, said in _OF_GROUP.items() if said.fullmatch(text)), None)
    return of_group or (ERROR if _ERROR.match(text) else MESSAGE)


def header_kind(not_used: Sequence[str]) -> str:
    """Return the kind of note for a header with these unused columns."""
    if not not_used:
        return HEADER
    return _NOT_USED + listed((repr(name[:_LONGEST_NAME]) for name in not_used), _MOST_NAMES)


def not_used(notes: pa.Table) -> list[tuple[str, str, str]]:
    """Return file, unused columns as `header_kind` lists them, and the line itself, for every header in NOTES that has some."""
    found = notes.filter(IS_NOT_USED)
    return [(row["source_file"], row["reason"].removeprefix(_NOT_USED), row["text"]) for row in found.to_pylist()]


def have_times(notes: pa.Table) -> bool:
    """Tell whether a line says the time of listings."""
    return bool(pc.any(pc.starts_with(notes["reason"], TIME)).as_py())


def groups_told(notes: pa.Table, kind: str) -> frozenset[tuple[str, str]]:
    """Return group and file of every note of a kind: `REBALANCING` or `NO_MEMBERS`."""
    found = [(_OF_GROUP[kind].fullmatch(row["text"]), row["source_file"]) for row in notes.to_pylist() if row["reason"] == kind]
    return frozenset((said[1], file) for said, file in found if said)


def is_told(told: frozenset[tuple[str, str]], group_id: str | None, source_file: str | None) -> bool:
    """Tell whether a group is among those of `groups_told`; in a file whose rows name no group, the note is about the file's own group."""
    return any(group == group_id if group_id is not None else file == source_file for group, file in told)
