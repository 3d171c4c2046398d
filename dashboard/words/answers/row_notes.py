"""What stands beside the name of a row: short words, a mark where there is no room for them, and what both mean."""

from collections.abc import Sequence
from typing import NamedTuple

from assignors import ASSIGNORS
from assignors.figures.comparison import CURRENT, Row
from assignors.protocol import Assignor
from dashboard.words.answers.reasons import ONE_VALID_OUTCOME

BEST = "best of the rows"
IN_USE = "in use"
NEVER_ENDS = "never ends"
WHY_NEVER_ENDS = "the rounds never end: a member refuses its assignment in every round and rejoins"

_BROKER = "the broker assigns: needs group.protocol=consumer"
_SHARED = "the broker assigns: needs a share group"
_CLIENTS = "a client assigns: needs group.protocol=classic"
_MEANING = {"consumer": _BROKER, "share": _SHARED, "classic": _CLIENTS}


class Note(NamedTuple):
    """`text` and `title` as they are read, `mark` in place of the text in a narrow table."""

    text: str
    mark: str
    title: str


_CURRENT = Note("as listed", "i", "the current owners, as the input says")
_PLUGIN = Note("plug-in", "i", "an assignor of your own, from the configuration")
_NOTHING = Note("", "", "")


def note(row: Row, why: Sequence[str]) -> Note:
    """Return what stands beside the name; `why`: the reasons of a row that is one valid outcome of several."""
    if row.assignment is None and not row.error:
        return Note("not listed", "–", "the input does not show the current owners") if row.name == CURRENT else Note("no answer yet", "…", "the plug-in has not answered yet")
    if why:
        return Note(ONE_VALID_OUTCOME, "≈", "; ".join(why))
    if row.name == CURRENT:
        return _CURRENT
    return _of(ASSIGNORS[row.name]) if row.name in ASSIGNORS else _PLUGIN


def _of(assignor: type[Assignor]) -> Note:
    if not assignor.label:
        return _NOTHING
    meaning = _MEANING[assignor.group_type] if assignor.is_in_kafka else f"not in Kafka: a jar of your own ({assignor.label})"
    return Note(assignor.label, "i", meaning)


def protocol_of(name: str, group_type: str | None) -> str:
    """Return what the name says when the pointer rests on it: who assigns, and whether the group, `None` where its type is not known, must change its protocol."""
    if name not in ASSIGNORS:
        return ""
    needed = ASSIGNORS[name].group_type
    if group_type in _MEANING and group_type != needed:
        return f"{_MEANING[needed]}, and this is a {group_type} group"
    return "" if needed == "classic" else _MEANING[needed]
