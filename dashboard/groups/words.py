"""The sentences of the list of groups: how many need the reader, and who reads a topic."""

from collections.abc import Mapping, Sequence

from evenkeel.data.text.formats import counted, exact, listed

NEED, RECOVER, LATER, UNKNOWN, FINE, IGNORED = (
    "need",
    "recover",
    "later",
    "unknown",
    "fine",
    "ignored",
)
CLASSES = (NEED, RECOVER, LATER, UNKNOWN, FINE, IGNORED)
"""Classes of a diagnosis in the order of the page, and groups that nobody wants to be told
about.
"""

SHORT = {
    NEED: "Need you",
    RECOVER: "Recover",
    LATER: "Later",
    UNKNOWN: "Unknown",
    FINE: "Fine",
    IGNORED: "Ignored",
}
"""Labels of the choice of a class."""

_ONE = {
    NEED: "needs you",
    RECOVER: "will recover by itself",
    LATER: "needs a later reading",
    UNKNOWN: "is unknown",
    FINE: "is fine",
    IGNORED: "is ignored",
}
_MANY = {
    NEED: "need you",
    RECOVER: "will recover by themselves",
    LATER: "need a later reading",
    UNKNOWN: "are unknown",
    FINE: "are fine",
    IGNORED: "are ignored",
}
MORE = {
    NEED: "more need you",
    RECOVER: "more recover",
    LATER: "more need a later reading",
    UNKNOWN: "more are unknown",
    FINE: "are fine",
}
"""The words of a fold, after the number of hidden groups."""

JUDGING = "The history is being judged …"
"""Next to the findings of two readings, until those of the history are there."""

_MOST_READERS = 5


def rest(group_class: str, count: int) -> str:
    """Return how to see the groups that an open fold leaves out."""
    return f"{exact(count)} {MORE[group_class]}: {SHORT[group_class]} lists all."


def headline(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return number and words of each class that has groups: `3`, `need you`."""
    numbers = [(name, counts.get(name, 0)) for name in CLASSES]
    return [
        (exact(number), (_ONE if number == 1 else _MANY)[name])
        for name, number in numbers
        if number
    ]


def readers(topic: str, groups: Sequence[str]) -> str:
    """Return who reads a topic."""
    if not groups:
        return f"No group reads {topic}."
    verb = "reads" if len(groups) == 1 else "read"
    return f"{counted(len(groups), 'group')} {verb} {topic}: {listed(groups, _MOST_READERS)}."
