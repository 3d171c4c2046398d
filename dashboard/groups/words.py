"""Sentences of the list of groups: how many groups need the reader, and which groups read
a topic.
"""

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
"""Classes of a diagnosis in the order of the page, and the class of ignored groups."""

SHORT = {
    NEED: "Need you",
    RECOVER: "Recover",
    LATER: "Later",
    UNKNOWN: "Unknown",
    FINE: "Fine",
    IGNORED: "Ignored",
}
"""Labels of the classes in the filter."""

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
"""Words of a fold, after the number of hidden groups."""

JUDGING = "Checking the history …"
"""Note next to findings from two readings, while the history is being checked."""

_MOST_READERS = 5


def rest(group_class: str, count: int) -> str:
    """Return the sentence that says how to list the groups that an open fold omits."""
    return f"{exact(count)} {MORE[group_class]}: {SHORT[group_class]} lists all."


def headline(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return the number and the words of each class that has groups: `3`, `need you`."""
    numbers = [(name, counts.get(name, 0)) for name in CLASSES]
    return [
        (exact(number), (_ONE if number == 1 else _MANY)[name])
        for name, number in numbers
        if number
    ]


def readers(topic: str, groups: Sequence[str]) -> str:
    """Return the sentence on the groups that read a topic."""
    if not groups:
        return f"No group reads {topic}."
    verb = "reads" if len(groups) == 1 else "read"
    return f"{counted(len(groups), 'group')} {verb} {topic}: {listed(groups, _MOST_READERS)}."
