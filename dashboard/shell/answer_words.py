"""Words about an assignor's answer: the note next to the assignor's name, the reason of a missing
answer, and the remedies.
"""

from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.assignment import (
    REQUEST_ERROR,
    AssignorError,
    NoFunctionError,
    NotKnownError,
)
from evenkeel.assignors.compare.comparison import CURRENT, Row
from evenkeel.assignors.compare.facts import Facts
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, NOT_OFFERED, SHARE, Assignor
from evenkeel.data.compare.quirk_words import why_endless
from evenkeel.data.scenarios.run.step_figures import StepFigures
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.scenarios.switch_steps import Step, client_package, where_it_comes_from
from evenkeel.data.text.formats import count, exact

BEST = "best of the rows"
IN_USE = "in use"
NEVER_ENDS = "never ends"
LATER_ERROR = "fails later"
LEADER_DIES = "leader dies later"

_BROKER = "the broker assigns: needs group.protocol=consumer"
_SHARED = "the broker assigns: needs a share group"
_CLIENTS = "a client assigns: needs group.protocol=classic"
_MEANING = {CONSUMER: _BROKER, SHARE: _SHARED, CLASSIC: _CLIENTS}


class Note(NamedTuple):
    """A note next to an assignor's name in a table. `mark` replaces `text` in a narrow table.
    `title` explains the note.
    """

    text: str
    mark: str
    title: str


_CURRENT = Note("as listed", "i", "the current owners, as the input says")
_NOT_LISTED = Note("not listed", "–", "the input does not show the current owners")
_NO_ANSWER = Note("no answer yet", "…", "the plug-in has not answered yet")
_PLUGIN = Note("plug-in", "i", "your own assignor, from the configuration")
_NOTHING = Note("", "", "")


def note(row: Row, is_in_use: bool = False) -> Note:
    """Return the note next to a row's assignor. `is_in_use`: the group uses this assignor now."""
    if row.assignment is None and not row.error:
        return _NOT_LISTED if row.name == CURRENT else _NO_ANSWER
    return name_note(row.name, is_in_use)


def warning(facts: Facts) -> tuple[str, str]:
    """Return two texts about the rebalances that lead to an answer: a fault, and the reason of the
    fault. Both texts are empty if there is no fault.
    """
    if facts.later_error:
        sentence = LEADER_DIES if facts.later_error.java_class == LEADER_CRASH else LATER_ERROR
        return sentence, f"in a later round: {in_words(facts.later_error)}"
    if facts.switch and facts.switch.is_endless:
        return NEVER_ENDS, f"the rounds never end: {why_endless(facts.switch.is_refused)}"
    return "", ""


def name_note(name: str, is_in_use: bool = False) -> Note:
    """Return the note of an assignor from its name alone. The note names the KIP or Kafka issue of
    the assignor, or says that the assignor runs in a jar.
    """
    if name == CURRENT:
        return _CURRENT
    return _of(ASSIGNORS[name], is_in_use) if name in ASSIGNORS else _PLUGIN


def _of(assignor: type[Assignor], is_in_use: bool) -> Note:
    if not assignor.label:
        return _NOTHING
    if assignor.is_in_kafka:
        return Note(assignor.label, "i", _MEANING[assignor.group_type])
    if is_in_use:
        return Note(assignor.label, "i", f"not in Kafka: it runs in this group ({assignor.label})")
    if assignor.group_type == CONSUMER:
        others = "; here a partition's weight is its lag"
    else:
        others = (
            ""
            if any(client_package(client, assignor) for client in CLIENTS)
            else ", which only Java members load"
        )
    return Note(
        assignor.label,
        "i",
        f"not in Kafka: {where_it_comes_from(assignor)}{others} ({assignor.label})",
    )


def protocol_of(name: str, group_type: str | None) -> str:
    """Return the tooltip of an assignor's name. The tooltip says whether the broker or a client
    assigns. It adds the type of the group if the assignor does not support this type.
    """
    if name not in ASSIGNORS:
        return ""
    needed = ASSIGNORS[name].group_type
    if group_type in _MEANING and group_type != needed:
        return f"{_MEANING[needed]}, and this is a {group_type} group"
    return "" if needed == CLASSIC else _MEANING[needed]


# Why a row has no answer, in words.


LEADER_CRASH, UNDEFINED = "LeaderCrash", "Undefined"
_WORDS = {
    LEADER_CRASH: "{}",
    UNDEFINED: "no answer exists: {}",
    NOT_OFFERED: "{}",
    REQUEST_ERROR: "{}",
}


def in_words(error: AssignorError) -> str:
    """Return an error of an assignor in words. If the answer of this Kafka release is unknown, the
    words name the first release with a known answer.
    """
    if isinstance(error, NotKnownError):
        reason = f": {error.reason}" if error.reason else ""
        return (
            f"no answer for Kafka {error.release}{reason}; answers are known from {error.since} on"
        )
    return _WORDS.get(error.java_class, f"{error.java_class}: {{}}").format(message(error))


def message(error: AssignorError) -> str:
    """Return the error's text without the assignor's name. The page shows the name next to the
    text.
    """
    name, _, rest = str(error).partition(": ")
    return rest if name in ASSIGNORS else str(error)


def is_deadly(error: AssignorError | None) -> bool:
    """Return whether the error ends the leader's process. A read of freed memory counts too,
    because it ends the process in usual builds.
    """
    return error is not None and error.java_class in (LEADER_CRASH, UNDEFINED)


def is_gap(error: AssignorError | None) -> bool:
    """Return whether the error is not a fault of the group: the client does not offer this
    assignor, or Evenkeel does not know the assignor's answer.
    """
    return error is not None and (
        error.java_class == NOT_OFFERED or isinstance(error, NoFunctionError)
    )


# Words about a step of a scenario: whether its rebalances end, and the heading of its table.


class ShortText(NamedTuple):
    """A short text and its explanation, both empty if there is nothing to say."""

    text: str
    title: str


def rest(step: StepFigures) -> ShortText:
    """Return a short text if the group's rebalances do not end after this step, else an empty
    text.
    """
    if step.never_ends:
        return ShortText("never ends", "the rounds never end: members rejoin after every round")
    if step.never_ends is None and step.rebalances:
        return ShortText(
            "still rebalancing", "the group is still rebalancing after the last simulated round"
        )
    return ShortText("", "")


def heading(step: int, name: str, figures: StepFigures | None) -> ShortText:
    """Return the title of a step's table, and a note. Without `figures` the note is empty."""
    if figures is None:
        return ShortText(f"{step} · {name}", "")
    if step == 0:
        return ShortText(
            f"0 · {AS_LISTED}",
            f"{count(figures.members_before, 'member')} · what each assignor would do now",
        )
    members = f"{exact(figures.members_before)} → {count(figures.members, 'member')}"
    start = "the group as listed" if step == 1 else f"the end of its own step {step - 1}"
    return ShortText(f"{step} · {name}", f"{members} · each assignor starts from {start}")


# Remedies for an assignor that crashes the leader, or whose rebalances never end.


_EAGER = "partition.assignment.strategy=range"
_SAME_TOPICS = Step(
    "Let all members subscribe to the same topics. The crash occurs only if subscriptions differ."
)
_ANOTHER = (
    "Or stop all members, wait until the group is empty, and start them with an eager assignor:"
    " range and roundrobin of librdkafka {}. A rolling restart does not help, because all"
    " members must support the same assignor."
)
_NO_RACKS = Step(
    "Remove client.rack from all members. In every round librdkafka revokes partitions that do"
    " not match a member's rack."
)
_KEY_ERROR = Step(
    "Let all members subscribe to the same topics, or choose range. This client's roundrobin"
    " fails at a member that does not subscribe to the topic."
)


def ways_out(row: Row, facts: Facts) -> list[Step]:
    """Return remedies for a leader that crashes or rebalances that never end. The list is empty in
    all other cases.
    """
    error = row.error or facts.later_error
    if is_deadly(error):
        return [_SAME_TOPICS, Step(_ANOTHER.format("do not crash"), _EAGER)]
    if row.name == "roundrobin" and error and error.java_class == "KeyError":
        return [_KEY_ERROR]
    if facts.switch and facts.switch.is_endless and not facts.switch.is_refused:
        return [_NO_RACKS, Step(_ANOTHER.format("stop rebalancing at once"), _EAGER)]
    return []
