"""Names of members, partitions, instances and threads on the pages; the order of names, and marks
of states.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from os.path import commonprefix
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from evenkeel.data.group.document.application import Process
from evenkeel.data.text.names import without_uuid

NO_OWNER = "no owner"
"""Name in place of a missing owner."""

UNDER = "under"
"""The word before an assignor's name. Not `with`: `with lag` could mean a member that lags."""

WORD_JOINER = "\u2060"
# Streamlit makes links of addresses after it has removed escapes. It makes no link if a character
# that is not a letter follows these words.
_LINK = re.compile(r"://|\bwww(?=\.)|@", re.IGNORECASE)
# Streamlit also replaces these characters by arrows, dashes, symbols and logos, after it has
# removed escapes.
_SIGN = re.compile(r"(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)|(?<=:)(?=material/|streamlit:)")
_ENTITY = re.compile(r"&(?=#|\w)")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!:|~$>-])")
_MARKDOWN_IN_A_LINE = re.compile(r"([\\`*\[\]~$]|(?<![^\W_])_|_(?![^\W_])|:(?!\s|$)|^[-+#>])")
_LIST_NUMBER = re.compile(r"^(\d+)(?=[.)])")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def under(name: str) -> str:
    """Return `under “lag”`, for texts that cannot show the name as code."""
    return f"{UNDER} “{name}”"


def abbreviated(name: str) -> str:
    """Return an assignor's short name for figures, such as `coop.-sticky`. The table next to the
    figure has the full name.
    """
    return name.replace("cooperative", "coop.")


def without_common_prefix(names: Sequence[str]) -> tuple[str, ...]:
    """Remove the common prefix of all names, up to the prefix's last separator. The names then
    differ even in narrow columns.
    """
    shared = commonprefix(list(names)) if len(names) > 1 else ""
    cut = max((shared.rfind(mark) for mark in "-._/: "), default=-1) + 1
    return tuple(name[cut:] or name for name in names)


def literal(text: str) -> str:
    """Escape a text for Streamlit's Markdown, so that it is shown as written and makes no links.
    Names come from listings and may contain markup.
    """
    return _MARKDOWN.sub(r"\\\1", _unlinked(text)).replace("<", "&lt;")


def in_label(text: str) -> str:
    """Escape a one-line text with as few escapes as possible, because a screen reader reads the
    text of a checkbox with its escapes.
    """
    return _LIST_NUMBER.sub(r"\1\\", _MARKDOWN_IN_A_LINE.sub(r"\\\1", _unlinked(text))).replace(
        "<", "&lt;"
    )


def _unlinked(text: str) -> str:
    unlinked = _LINK.sub(rf"\g<0>{WORD_JOINER}", visible(text).replace("\n", " "))
    return _ENTITY.sub("&amp;", _SIGN.sub(WORD_JOINER, unlinked))


def in_badge(text: str) -> str:
    """Escape the label of a badge, except its brackets, because Streamlit escapes them itself."""
    return literal(text).replace(r"\[", "[").replace(r"\]", "]")


def visible(text: str) -> str:
    """Replace control characters, and characters that change the direction of text, by their codes,
    such as `\\u202e`.
    """
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


# Order of members on the pages.


# Only these digits. `²` is not part of a number.
_DIGITS = re.compile("([0-9]+)")


def natural(name: str) -> list:
    """Return a sort key that puts `orders-2` before `orders-10`."""
    # Digits are compared as text, because Python converts at most 4,300 digits to a number. The
    # parts alternate: text, digits.
    numbers = enumerate(_DIGITS.split(name))
    return [
        (0, len(part.lstrip("0")), part.lstrip("0")) if place % 2 else (1, 0, part)
        for place, part in numbers
        if part
    ]


def worst_first(lag: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Return the row numbers of the members, sorted by lag, most first. Members with equal lag are
    sorted by name, so that two readings of the same data look the same.
    """
    by_name = np.array(
        sorted(range(len(names)), key=lambda row: natural(names[row])), dtype=np.int64
    )
    return by_name[np.argsort(-lag[by_name], kind="stable")]


def worst_of_both(order: np.ndarray, lag_after: np.ndarray, most: int) -> np.ndarray:
    """Return `order`, with the worst members after a change moved forward: they get the last third
    of the first `most` places.

    `order`: row numbers of members, worst member before the change first.
    """
    after = order[np.argsort(-lag_after[order], kind="stable")]
    now, third = order[: most - most // 3], after[: most // 3]
    first = np.concatenate((now, third[~np.isin(third, now)]))
    rest = order[~np.isin(order, first)]
    return np.concatenate((first, rest))


# Short names for the instances and threads of a Kafka Streams application.


_THREAD = re.compile(r"StreamThread-(\d+)")
_ID, _TAIL = 8, 4


def process_names(processes: Sequence[Process]) -> tuple[str, ...]:
    """Return a name for each instance: its client id without the UUID, else the first characters of
    its process id.

    If several instances have the same name, the first keeps it. The other names end with the first
    characters of the process id.
    """
    names: list[str] = []
    known: set[str] = set()
    for process in processes:
        name = without_uuid(process.client_id) if process.client_id else process.process_id[:_ID]
        taken = f"{name}-{process.process_id[:_TAIL]}"
        if name in known:
            name = taken if taken not in known else process.process_id
        names.append(name)
        known.add(name)
    return tuple(names)


K = TypeVar("K")


def numbered(labels: Mapping[K, str]) -> dict[K, str]:
    """Return the labels, with a number after each repeated label. A menu distinguishes entries only
    by their labels.
    """
    counts: Counter[str] = Counter()
    unique: dict[str, K] = {}
    for key, label in labels.items():
        counts[label] += 1
        name = label if counts[label] == 1 else f"{label} ({counts[label]})"
        while name in unique:
            counts[label] += 1
            name = f"{label} ({counts[label]})"
        unique[name] = key
    return {key: name for name, key in unique.items()}


def thread_names(processes: Sequence[Process]) -> tuple[str, ...]:
    """Return `t1`, `t2` … for each consumer.

    The number is from the consumer's name, unless two consumers of an instance have the same
    number.
    """
    return tuple(
        name
        for process in processes
        for name in _threads([consumer.member_id for consumer in process.consumers])
    )


def _threads(members: Sequence[str]) -> list[str]:
    numbers = [match[1] for match in map(_THREAD.search, members) if match]
    is_numbered = len(numbers) == len(set(numbers)) == len(members)
    return [f"t{number}" for number in (numbers if is_numbered else range(1, len(members) + 1))]


# Marks after the names of members that a step changes.


NEW, RESTARTED, STOPPED = "+", "↻", "✕"


# States of a group: their meaning and their marks.


class ShownState(NamedTuple):
    """How pages show the state of a group. `color`, `icon`: colour and icon of Streamlit's badge.
    `kind`: mark in tables. `short`: word in tables.
    """

    color: Literal["green", "gray", "red", "yellow"]
    icon: str
    meaning: str
    kind: str
    short: str = ""


_STATES = {
    "Stable": ShownState(
        "green",
        ":material/check_circle:",
        "Every member has its partitions; no rebalance is in progress.",
        "rest",
    ),
    "Empty": ShownState(
        "gray",
        ":material/person_off:",
        "No member is connected; committed offsets remain.",
        "empty",
    ),
    "Dead": ShownState(
        "red", ":material/cancel:", "The group has no members and no metadata left.", "dead"
    ),
}
_MOVING = ShownState(
    "yellow",
    ":material/sync:",
    "A rebalance is in progress; owners may change at any moment.",
    "moving",
)
_SHORT = {"PreparingRebalance": "Preparing", "CompletingRebalance": "Completing"}


def shown_state(group_state: str) -> ShownState:
    """Return how pages show a Kafka state. Every state except Stable, Empty and Dead is shown as a
    rebalance.
    """
    return _STATES.get(group_state) or _MOVING._replace(short=_SHORT.get(group_state, ""))
