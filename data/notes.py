"""Kinds of notes, and what a tool says of a group in passing: that it is rebalancing."""

import re

import pyarrow as pa

HEADER = "header"
MESSAGE = "message of the tool"
ERROR = "error of the tool"
REBALANCING = "the group is rebalancing: its owners are those of a moment"
REPEAT = "repeats an earlier line"

_REBALANCING = re.compile(r"\W*(?:Warning: )?(?:The )?[Cc]onsumer group ['\u2018\u2019\"\u201c](.*)['\u2019\"\u201d] is rebalancing\.?\s*")
_ERROR = re.compile(r"\W*(Error|ERROR|FATAL)\b|Caused by: |Exception in thread |.*(Exception|Error)(: |$)")


def kind_of(text: str) -> str:
    """Return what kind of message a line is that a tool prints beside a listing."""
    if _REBALANCING.fullmatch(text):
        return REBALANCING
    return ERROR if _ERROR.match(text) else MESSAGE


def rebalancing_groups(notes: pa.Table) -> frozenset[tuple[str, str]]:
    """Return group and file of every warning of a rebalance in NOTES: in a file whose rows name no group, it is about the file's own."""
    found = [(_REBALANCING.fullmatch(row["text"]), row["source_file"]) for row in notes.to_pylist() if row["reason"] == REBALANCING]
    return frozenset((warning[1], file) for warning, file in found if warning)
