"""Regular expressions over topics: one that spells a name gives way to the stand-ins of the topics that it matches."""

import re
from collections.abc import Mapping

from evenkeel.data.columns.group import with_matches
from evenkeel.data.errors import SnapshotError

NOTHING = "no-topic"
"""An expression that matches no topic of the scenario."""

_SPELLS = re.compile(r"\w", re.UNICODE)


def replaced(expression: str, stand_in_of: Mapping[str, str]) -> str:
    """Return an expression that matches the stand-ins of just the topics that it matched; one of signs alone, such as `.*`, stays."""
    if not _SPELLS.search(expression):
        return expression
    try:
        (matched,) = with_matches([[]], [expression], list(stand_in_of))
    except SnapshotError:
        matched = []
    if stand_in_of and len(matched) == len(stand_in_of):
        return ".*"
    return "|".join(re.escape(stand_in_of[name]).replace(r"\-", "-") for name in matched) or NOTHING
