"""What stands beside the name of a row: short words, a mark where there is no room for them, and what both mean."""

from collections.abc import Sequence
from typing import NamedTuple

from assignors import ASSIGNORS
from assignors.figures.comparison import CURRENT, Row
from assignors.rounds.switch import Kind, kind_of
from dashboard.words.answers.reasons import ONE_VALID_OUTCOME

BEST = "best of the rows"
IN_USE = "in use"
NEVER_ENDS = "never ends"
WHY_NEVER_ENDS = "the rounds never end: a member refuses its assignment in every round and rejoins"

_BROKER = "the broker assigns: needs group.protocol=consumer"
_SHARED = "the broker assigns: needs a share group"
_CLIENTS = "a client assigns: needs group.protocol=classic"
_GROUP_TYPE = {Kind.RECONCILED: "consumer", Kind.SHARED: "share"}
_MEANING = {"consumer": _BROKER, "share": _SHARED, "classic": _CLIENTS}


class Note(NamedTuple):
    """`text` and `title` as they are read, `mark` in place of the text in a narrow table."""

    text: str
    mark: str
    title: str


_NOTES = {
    CURRENT: Note("as listed", "i", "the current owners, as the input says"),
    "lag": Note("KAFKA-5337", "i", "not in Kafka: a jar of your own (KAFKA-5337)"),
    "uniform": Note("KIP-848", "i", _BROKER),
    "broker-range": Note("KIP-848", "i", _BROKER),
}
_PLUGIN = Note("plug-in", "i", "an assignor of your own, from the configuration")
_NOTHING = Note("", "", "")


def note(row: Row, why: Sequence[str]) -> Note:
    """Return what stands beside the name; `why`: the reasons of a row that is one valid outcome of several."""
    if row.assignment is None and not row.error:
        return Note("not listed", "–", "the input does not show the current owners") if row.name == CURRENT else Note("no answer yet", "…", "the plug-in has not answered yet")
    if why:
        return Note(ONE_VALID_OUTCOME, "≈", "; ".join(why))
    return _NOTES.get(row.name, _NOTHING if row.name in ASSIGNORS else _PLUGIN)


def protocol_of(name: str, group_type: str | None) -> str:
    """Return what the name says when the pointer rests on it: who assigns, and whether the group, `None` where its type is not known, must change its protocol."""
    if name not in ASSIGNORS:
        return ""
    needed = _GROUP_TYPE.get(kind_of(ASSIGNORS[name]), "classic")
    if group_type in _MEANING and group_type != needed:
        return f"{_MEANING[needed]}, and this is a {group_type} group"
    return "" if needed == "classic" else _MEANING[needed]
