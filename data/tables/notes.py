"""Kinds of notes, and what a tool says of a group in passing: that it is rebalancing."""

import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from data.words.lists import listed

HEADER = "header"
MESSAGE = "message of the tool"
ERROR = "error of the tool"
REBALANCING = "the group is rebalancing: its owners are those of a moment"
REPEAT = "repeats an earlier line"

_NOT_USED = f"{HEADER}; not used: "
IS_NOT_USED = pc.starts_with(pc.field("reason"), _NOT_USED)
"""Chooses the rows of NOTES that `not_used` reads."""

_MOST_NAMES, _LONGEST_NAME = 12, 60

_REBALANCING = re.compile(r"\W*(?:Warning: )?(?:The )?[Cc]onsumer group ['\u2018\u2019\"\u201c](.*)['\u2019\"\u201d] is rebalancing\.?\s*")
_ERROR = re.compile(r"\W*(Error|ERROR|FATAL)\b|Caused by: |Exception in thread |.*(Exception|Error)(: |$)")


def kind_of(text: str) -> str:
    """Return the kind of a message that a tool prints beside a listing."""
    if _REBALANCING.fullmatch(text):
        return REBALANCING
    return ERROR if _ERROR.match(text) else MESSAGE


def header_kind(not_used: Sequence[str]) -> str:
    """Return the kind of note for a header with these unused columns."""
    if not not_used:
        return HEADER
    return _NOT_USED + listed((repr(name[:_LONGEST_NAME]) for name in not_used), _MOST_NAMES)


def not_used(notes: pa.Table) -> list[tuple[str, str]]:
    """Return file and unused columns, as `header_kind` lists them, for every header in NOTES that has some."""
    found = notes.filter(IS_NOT_USED)
    return [(row["source_file"], row["reason"].removeprefix(_NOT_USED)) for row in found.to_pylist()]


def rebalancing_groups(notes: pa.Table) -> frozenset[tuple[str, str]]:
    """Return group and file of every rebalance warning in NOTES; in a file whose rows name no group, it is about the file's own group."""
    found = [(_REBALANCING.fullmatch(row["text"]), row["source_file"]) for row in notes.to_pylist() if row["reason"] == REBALANCING]
    return frozenset((warning[1], file) for warning, file in found if warning)
