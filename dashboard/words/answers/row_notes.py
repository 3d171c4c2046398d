"""The note beside the name of a row: short words, a mark for narrow tables, and the meaning of both."""

from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.facts import Facts
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.assignors.protocol import Assignor
from evenkeel.dashboard.words.answers.failures import LEADER_CRASH, in_words
from evenkeel.data.words.quirks import why_endless

BEST = "best of the rows"
IN_USE = "in use"
NEVER_ENDS = "never ends"
LATER_ERROR = "fails later"
LEADER_DIES = "leader dies later"

_BROKER = "the broker assigns: needs group.protocol=consumer"
_SHARED = "the broker assigns: needs a share group"
_CLIENTS = "a client assigns: needs group.protocol=classic"
_MEANING = {"consumer": _BROKER, "share": _SHARED, "classic": _CLIENTS}


class Note(NamedTuple):
    """`mark` replaces `text` in a narrow table; `title` is the explanation."""

    text: str
    mark: str
    title: str


_CURRENT = Note("as listed", "i", "the current owners, as the input says")
_NOT_LISTED = Note("not listed", "–", "the input does not show the current owners")
_NO_ANSWER = Note("no answer yet", "…", "the plug-in has not answered yet")
_PLUGIN = Note("plug-in", "i", "an assignor of your own, from the configuration")
_NOTHING = Note("", "", "")


def note(row: Row) -> Note:
    """Return the note of a row."""
    if row.assignment is None and not row.error:
        return _NOT_LISTED if row.name == CURRENT else _NO_ANSWER
    return name_note(row.name)


def warning(facts: Facts) -> tuple[str, str]:
    """Return what is wrong with the way to an answer, and why; both empty where the group comes to rest."""
    if facts.later_error:
        said = LEADER_DIES if facts.later_error.java_class == LEADER_CRASH else LATER_ERROR
        return said, f"in a later round: {in_words(facts.later_error)}"
    if facts.switch and facts.switch.is_endless:
        return NEVER_ENDS, f"the rounds never end: {why_endless(facts.switch.is_refused)}"
    return "", ""


def name_note(name: str) -> Note:
    """Return what the note of an assignor says whatever its answer: the release, the protocol, a jar of one's own."""
    if name == CURRENT:
        return _CURRENT
    return _of(ASSIGNORS[name]) if name in ASSIGNORS else _PLUGIN


def _of(assignor: type[Assignor]) -> Note:
    if not assignor.label:
        return _NOTHING
    meaning = (
        _MEANING[assignor.group_type]
        if assignor.is_in_kafka
        else f"not in Kafka: a jar of your own, which only Java members load ({assignor.label})"
    )
    return Note(assignor.label, "i", meaning)


def protocol_of(name: str, group_type: str | None) -> str:
    """Return the tooltip of an assignor's name: who assigns, and whether a group of a known type must change its protocol."""
    if name not in ASSIGNORS:
        return ""
    needed = ASSIGNORS[name].group_type
    if group_type in _MEANING and group_type != needed:
        return f"{_MEANING[needed]}, and this is a {group_type} group"
    return "" if needed == "classic" else _MEANING[needed]
