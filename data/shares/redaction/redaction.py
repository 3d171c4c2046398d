"""Replaces the chosen kinds of names in a scenario and its result by stand-ins; previews names."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from string import ascii_lowercase
from typing import Any, NamedTuple

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.matching import MOST_EXPRESSION, with_matches
from evenkeel.data.shares.redaction.fields import changed
from evenkeel.data.shares.redaction.shapes import HOST, KINDS, TOPIC, Kind, kinds_of
from evenkeel.data.shares.share import Payload

SHORTEST = 3
"""Length of the shortest name that is searched inside words: shorter names occur by chance."""

_WIDTHS = 6


def stand_ins(names: Mapping[Kind, Sequence[str]]) -> dict[Kind, dict[str, str]]:
    """Return the stand-in of each name, by kind; `names`: the names to replace.

    Raises
    ------
    SnapshotError
        If every possible set of stand-ins contains one of the names.
    """
    originals = {
        each.casefold() for some in names.values() for each in some if len(each) >= SHORTEST
    }
    return {
        kind: dict(zip(sorted(some), _chosen(kind, len(some), originals), strict=True))
        for kind, some in names.items()
    }


def _chosen(kind: Kind, count: int, originals: set[str]) -> list[str]:
    """Return the first possible stand-ins that contain no original name."""
    for numbers in _numberings(count):
        chosen = [f"{kind.word}-{number}" for number in numbers]
        # A name that is part of the word, such as a topic "topic", is no secret.
        shown = "\n".join(chosen)
        if not any(name in shown and name not in f"{kind.word}-" for name in originals):
            return chosen
    raise SnapshotError(
        f"no stand-ins for {kind.name}: each of {kind.word}-01, {kind.word}-001, {kind.word}-aa, …"
        " holds a name to redact"
    )


def _numberings(count: int) -> Iterator[list[str]]:
    shortest = max(2, len(str(count)))
    for width in range(shortest, shortest + _WIDTHS):
        yield [f"{number:0{width}}" for number in range(1, count + 1)]
    for width in range(shortest, shortest + _WIDTHS):
        yield [
            "".join(letters) for letters in islice(product(ascii_lowercase, repeat=width), count)
        ]


# Names inside texts are replaced everywhere; a text that would still contain a name is replaced by
# neutral words.


_WORD = re.compile(r"\w{2}")


class Texts:
    """Replaces names in texts; `stand_in_of`: the stand-in by name."""

    def __init__(self, stand_in_of: Mapping[str, str]):
        spelled = {
            spelling: stand_in
            for name, stand_in in stand_in_of.items()
            for spelling in _spellings(name)
        } | dict(stand_in_of)
        self._long = {
            name.casefold(): stand_in for name, stand_in in spelled.items() if len(name) >= SHORTEST
        }
        self._short = {
            name: stand_in for name, stand_in in spelled.items() if 0 < len(name) < SHORTEST
        }

    def holds(self, text: str) -> str | None:
        """Return the longest name that the text contains; None if there is no name.

        Only names with at least three characters are searched.
        """
        folded = text.casefold()
        return max((name for name in self._long if name in folded), key=len, default=None)

    def replaced(self, text: str, neutral: str) -> str:
        """Return the text with stand-ins in place of names.

        Return `neutral` if the text consists only of names, or if the result would still contain a
        name.
        """
        folded = text.casefold()
        here = {name: stand_in for name, stand_in in self._long.items() if name in folded}
        here |= {name: stand_in for name, stand_in in self._short.items() if name in text}
        if not here:
            return text
        pattern = _pattern(here)
        after = pattern.sub(
            lambda match: here.get(match[0]) or here.get(match[0].casefold(), neutral), text
        )
        has_no_words = after != text and not _WORD.search(pattern.sub(" ", text))
        return neutral if has_no_words or self._is_still_readable(after, here) else after

    def _is_still_readable(self, after: str, here: Mapping[str, str]) -> bool:
        """Return whether the text `after` still contains a name.

        A stand-in and the characters next to it may together be a name.
        """
        blank = re.compile(
            "|".join(
                sorted(
                    map(re.escape, {*self._long.values(), *here.values()}), key=len, reverse=True
                )
            )
        ).sub("\n", after)
        folded, rest = after.casefold(), blank.casefold()
        return any(
            name in rest or (name in folded and name not in "\n".join(self._long.values()))
            for name in self._long
        )


def _pattern(names: Mapping[str, str]) -> re.Pattern:
    """Return a pattern that matches the names, longest first; a short name must be a whole word."""
    return re.compile("|".join(map(_part, sorted(names, key=len, reverse=True))), re.IGNORECASE)


def _part(name: str) -> str:
    return re.escape(name) if len(name) >= SHORTEST else rf"(?-i:(?<!\w){re.escape(name)}(?!\w))"


def _spellings(name: str) -> set[str]:
    """Return the ways in which messages write a name.

    The name may be escaped as in JSON, Python or a regular expression; a host may lack its slash.
    """
    return {json.dumps(name)[1:-1], repr(name)[1:-1], re.escape(name), name.removeprefix("/")}


# Names of each kind in a scenario and its result.


class NameCollector:
    """Collects the names of a document and changes nothing.

    `names`: the names by kind. `texts`: for each text, the neutral text that can replace it.
    """

    def __init__(self) -> None:
        self.names: dict[Kind, set[str]] = defaultdict(set)
        self.expressions: set[str] = set()
        self.texts: dict[str, str] = {}

    def name(self, kind: Kind, name: str) -> str:
        """Collect a name."""
        self.names[kind].add(name)
        return name

    def text(self, text: str, neutral: str) -> str:
        """Collect a text."""
        self.texts.setdefault(text, neutral)
        return text

    def expression(self, expression: str) -> str:
        """Collect a regular expression."""
        self.expressions.add(expression)
        return expression

    def topic_id(self, topic_id: str) -> str:
        """Return the topic id unchanged: it is not collected, because it is not a name."""
        return topic_id


def found_in(scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]]) -> NameCollector:
    """Return the collected names of a scenario and its result.

    Raises
    ------
    SnapshotError
        If the scenario has an unknown key.
    """
    names_and_texts = NameCollector()
    changed(scenario, result, names_and_texts)
    return names_and_texts


# Regular expressions over topics: if an expression contains letters, stand-ins of its matching
# topics replace it.


NOTHING = "no-topic"
"""An expression that matches no topic of the scenario."""

_SPELLS = re.compile(r"\w", re.UNICODE)


def replaced(expression: str, stand_in_of: Mapping[str, str]) -> str:
    """Return an expression for the stand-ins of all topics that `expression` matches.

    An expression without letters and digits, such as `.*`, does not change.
    """
    if not _SPELLS.search(expression):
        return expression
    try:
        (matched,) = with_matches([[]], [expression], list(stand_in_of))
    except SnapshotError:
        matched = []
    if stand_in_of and len(matched) == len(stand_in_of):
        return ".*"
    names = [re.escape(stand_in_of[name]).replace(r"\-", "-") for name in matched]
    joined = "|".join(names)
    if len(joined) > MOST_EXPRESSION:
        joined = _folded(names)
    if len(joined) > MOST_EXPRESSION:
        raise SnapshotError(
            f"no stand-in for an expression: {len(names):,} stand-ins of topics need"
            f" {len(joined):,} characters, expected at most {MOST_EXPRESSION:,}; share the true"
            " names of topics"
        )
    return joined or NOTHING


def _folded(names: Sequence[str]) -> str:
    """Return a short expression that matches the names, such as `topic-0(?:1|2)`."""
    beginnings: dict[str, list[str]] = defaultdict(list)
    for name in names:
        beginnings[name[:1]].append(name[1:])
    signs: dict[str, list[str]] = defaultdict(list)
    for sign, rests in beginnings.items():
        signs[_folded(rests) if sign else ""].append(sign)
    parts = [
        (some[0] if len(some) == 1 else f"[{''.join(some)}]") + rest for rest, some in signs.items()
    ]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


# Redaction of a scenario and its result: chosen kinds of names become stand-ins in names, keys,
# texts and expressions.


_LEFT_OUT = {"content_hash", "result_hash", "source", "cluster"}
"""Keys that are left out of the first line of a redacted result.

With the hashes, a reader who guesses names could check the guess. The source may contain the name
of a cluster.
"""


class StandIns:
    """Replaces names of the redacted kinds by stand-ins."""

    def __init__(self, of_kind: Mapping[Kind, Mapping[str, str]]):
        self.of_kind = of_kind
        # If names of two kinds are equal, the first kind decides the stand-in.
        self.texts = Texts(
            {name: stand_in for some in of_kind.values() for name, stand_in in some.items()}
        )

    def name(self, kind: Kind, name: str) -> str:
        """Return the stand-in of a name; if its kind is not redacted, the name."""
        return self.of_kind[kind][name] if kind in self.of_kind else name

    def text(self, text: str, neutral: str) -> str:
        """Return the text with stand-ins in place of names."""
        return self.texts.replaced(text, neutral)

    def expression(self, expression: str) -> str:
        """Return an expression that matches the stand-ins of topics."""
        if TOPIC in self.of_kind:
            return replaced(expression, self.of_kind[TOPIC])
        return self.text(expression, NOTHING)

    def topic_id(self, topic_id: str) -> str | None:
        """Return None if topics are redacted: the id identifies the topic in the cluster."""
        return None if TOPIC in self.of_kind else topic_id


def redacted(
    scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], kinds: Iterable[str]
) -> Payload:
    """Return the scenario and its result with stand-ins in place of names of the given kinds.

    Raises
    ------
    SnapshotError
        If a kind, or a key of the scenario, is unknown.
    """
    hidden = changed(scenario, result, change_of(scenario, result, kinds))
    return hidden._replace(
        result=[
            line | dict.fromkeys(line.keys() & _LEFT_OUT) if "format" in line else line
            for line in hidden.result
        ]
    )


def check_author_texts(
    texts: Mapping[str, str],
    scenario: Mapping[str, Any],
    result: Sequence[Mapping[str, Any]],
    kinds: Iterable[str],
) -> None:
    """Refuse a title, note or author that contains a name to redact; `texts`: texts by field.

    Raises
    ------
    SnapshotError
        Names the field and the name.
    """
    hidden = change_of(scenario, result, kinds).texts
    for field, text in texts.items():
        if name := hidden.holds(text):
            raise SnapshotError(
                f'{field} contains "{name}", which is to be redacted: write the {field} without '
                "it, or share the name"
            )


def change_of(
    scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], kinds: Iterable[str]
) -> StandIns:
    """Return the stand-ins for the given kinds of names. They depend only on the arguments."""
    names = found_in(scenario, result).names
    return StandIns(stand_ins({kind: sorted(names[kind]) for kind in kinds_of(kinds)}))


# The preview: every name, its stand-in, and the other places that show it.


TEXT, EXPRESSION = "text", "regular expression"
"""Kinds of preview rows that are not kinds of names."""


class Row(NamedTuple):
    """One name in the preview.

    `stand_in`: None if the name is not redacted. `readable_in`: kinds that are not redacted and
    have names that contain this name.
    """

    kind: str
    name: str
    stand_in: str | None
    readable_in: tuple[str, ...] = ()


def preview(
    scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], kinds: Iterable[str]
) -> list[Row]:
    """Return a row for each name, text and expression, in the order of the kinds.

    Raises
    ------
    SnapshotError
        If a kind, or a key of the scenario, is unknown.
    """
    names_there, hidden = found_in(scenario, result), kinds_of(kinds)
    change = StandIns(stand_ins({kind: sorted(names_there.names[kind]) for kind in hidden}))
    shown = {
        kind: "\n".join(names_there.names[kind]).casefold()
        for kind in kinds_of(KINDS)
        if kind not in hidden
    }
    rows = [
        _row(kind, name, change, shown)
        for kind in kinds_of(KINDS)
        for name in sorted(names_there.names[kind])
    ]
    others = [
        (EXPRESSION, each, change.expression(each)) for each in sorted(names_there.expressions)
    ]
    others += [
        (TEXT, each, change.text(each, neutral)) for each, neutral in names_there.texts.items()
    ]
    return rows + [
        Row(kind, before, None if before == after else after) for kind, before, after in others
    ]


def _row(kind: Kind, name: str, change: StandIns, shown: Mapping[Kind, str]) -> Row:
    if kind in shown:
        return Row(kind.noun, name, None)
    return Row(kind.noun, name, change.of_kind[kind][name], _readable(kind, name, shown))


def _readable(kind: Kind, name: str, shown: Mapping[Kind, str]) -> tuple[str, ...]:
    """Return the kinds that are not redacted and have names that contain `name`."""
    part = (name.removeprefix("/") if kind == HOST else name).casefold()
    return tuple(
        other.name for other, names in shown.items() if len(part) >= SHORTEST and part in names
    )
