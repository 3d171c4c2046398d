"""The fields of an edit's form. Each kind of field has one function."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from evenkeel.dashboard.names import numbered
from evenkeel.dashboard.parts.drain_words import measured_over, stretch_words
from evenkeel.data.scenarios.edits.edit import FIRST, Field

SOME = {"members": "member", "processes": "instance", "gone": "instance"}
"""Kinds of fields in which at least one item must be chosen, with the noun for an item."""


class Choices(NamedTuple):
    """The options of a form's fields. `members`: short names by member id. `topics`: number of
    partitions by topic name. `racks`: racks of members and partitions.

    `stretches`: periods of the group's history from which rates can be taken. `processes`, `gone`:
    names of running and of departed Streams instances, by process id.
    """

    members: Mapping[str, str] = {}
    topics: Mapping[str, int] = {}
    racks: Sequence[str] = ()
    stretches: Sequence[tuple[float, float, float | None]] = ()
    processes: Mapping[str, str] = {}
    gone: Mapping[str, str] = {}


# The fields of forms, by kind. Each function draws one widget and returns the person's input, None
# for no input.


def show_fields(field: Field, choices: Choices, value: Any, key: str) -> Any:
    """Draw a field and return its value. `value`: the present value in an edit that the reader
    changes; None for a new edit.
    """
    return KINDS[field.kind](field, choices, field.value if value is None else value, key)


def _members(field: Field, choices: Choices, value: Any, key: str) -> list[str]:
    there = [each for each in value or () if each in choices.members]
    return st.multiselect(
        field.label,
        list(choices.members),
        there,
        format_func=numbered(choices.members).__getitem__,
        key=key,
        help=field.help,
        placeholder="Choose members",
    )


def _member(field: Field, choices: Choices, value: Any, key: str) -> str | None:
    ids = list(choices.members)
    index = 0 if field.value == FIRST else None
    if value in ids:
        index = ids.index(value)
    labels = numbered(choices.members)
    return st.selectbox(
        field.label,
        ids,
        index,
        format_func=labels.__getitem__,
        key=key,
        help=field.help,
        placeholder="None",
    )


def _topic(field: Field, choices: Choices, value: Any, key: str) -> str | None:
    names = list(choices.topics)
    return st.selectbox(
        field.label, names, names.index(value) if value in names else 0, key=key, help=field.help
    )


def _grown(field: Field, choices: Choices, value: Any, key: str) -> dict[str, Any]:
    """Draw the fields for a larger topic. Return the topic and its new number of partitions, which
    must be larger than now.
    """
    topic = _topic(field, choices, value and value["topic"], f"{key}-topic")
    size = choices.topics.get(topic or "", 0)
    first = max(value["count"] if value and value["topic"] == topic else 0, size + 1)
    count = st.number_input(
        f"Partitions, {size:,} now", size + 1, 2**53 - 1, first, 1, key=f"{key}-count-{topic}"
    )
    return {"topic": topic, "count": count}


def _topics(field: Field, choices: Choices, value: Any, key: str) -> list[str] | None:
    # A subscription may contain topics that do not exist.
    options = list(dict.fromkeys([*choices.topics, *(value or ())]))
    chosen = st.multiselect(
        field.label,
        options,
        value or [],
        key=key,
        help=field.help,
        accept_new_options=True,
        placeholder="Choose topics",
    )
    return chosen or None


def _rack(field: Field, choices: Choices, value: Any, key: str) -> str | None:
    options = list(dict.fromkeys([*choices.racks, *([value] if value else [])]))
    index = options.index(value) if value else None
    return (
        st.selectbox(
            field.label,
            options,
            index,
            key=key,
            help=field.help,
            accept_new_options=True,
            placeholder="No rack",
        )
        or None
    )


def _whole(field: Field, choices: Choices, value: Any, key: str) -> int:
    return st.number_input(
        field.label, int(field.least), int(field.most), int(value), 1, key=key, help=field.help
    )


def _number(field: Field, choices: Choices, value: Any, key: str) -> float:
    return st.number_input(
        field.label,
        float(field.least),
        float(field.most),
        float(value),
        key=key,
        help=field.help,
        format="%g",
    )


def _measured(field: Field, choices: Choices, value: Any, key: str) -> float | None:
    return st.number_input(
        field.label,
        0.0,
        1e12,
        value,
        key=key,
        help=field.help,
        format="%g",
        placeholder="as measured",
    )


def _rates(field: Field, choices: Choices, value: Any, key: str) -> Any:
    """Draw a select box of rates. Return the length of the history, in seconds, from which the
    rates come, or the rates that the edit already has.
    """
    options = [*([value] if value else []), *(seconds for seconds, _, _ in choices.stretches)]
    words = [
        *([f"as in this step, {measured_over(value['measured'])}"] if value else []),
        *map(stretch_words, choices.stretches),
    ]
    labels = numbered(dict(enumerate(words)))
    return options[
        st.selectbox(
            field.label, list(labels), format_func=labels.__getitem__, key=key, help=field.help
        )
    ]


def _text(field: Field, choices: Choices, value: Any, key: str) -> str | None:
    return st.text_input(field.label, value or "", key=key, help=field.help) or None


def _lines(field: Field, choices: Choices, value: Any, key: str) -> list[str] | None:
    lines = st.text_area(
        field.label, "\n".join(value or ()), key=key, help=field.help, height=68
    ).splitlines()
    return [line.strip() for line in lines if line.strip()] or None


def _yes(field: Field, choices: Choices, value: Any, key: str) -> bool:
    return st.checkbox(field.label, bool(value), key=key, help=field.help)


def _choice(field: Field, choices: Choices, value: Any, key: str) -> str:
    words = dict(field.options)
    return st.selectbox(
        field.label, list(words), format_func=words.__getitem__, key=key, help=field.help
    )


def is_possible(field: Field, choices: Choices) -> bool:
    """Return whether the reader can fill in the field. If there is no option to choose, draw a
    note.
    """
    if field.kind != "gone" or choices.gone:
        return True
    st.html(
        '<span class="note">No instance has left. Stop an instance first.</span>', width="content"
    )
    return False


def _processes(field: Field, choices: Choices, value: Any, key: str) -> list[str]:
    return _instances(field, choices.processes, value, key)


def _gone(field: Field, choices: Choices, value: Any, key: str) -> list[str]:
    return _instances(field, choices.gone, value, key)


def _instances(field: Field, names: Mapping[str, str], value: Any, key: str) -> list[str]:
    # Streamlit would preselect all instances, and no application survives that.
    first = list(names)[:1] if value == FIRST else [each for each in value or () if each in names]
    labels = numbered(names)
    return st.multiselect(
        field.label,
        list(names),
        first,
        format_func=labels.__getitem__,
        key=key,
        help=field.help,
        placeholder="Choose",
    )


def _process(field: Field, choices: Choices, value: Any, key: str) -> str | None:
    ids = list(choices.processes)
    labels = numbered(choices.processes)
    return st.selectbox(
        field.label,
        ids,
        ids.index(value) if value in ids else 0,
        format_func=labels.__getitem__,
        key=key,
    )


def _setting(field: Field, choices: Choices, value: Any, key: str) -> dict[str, Any]:
    """Draw a setting and its value. Return all settings of the edit with this setting changed."""
    given, words = value or {}, dict(field.options)
    names = list(dict.fromkeys([*given, *words]))
    name = st.selectbox(
        field.label, names, format_func=lambda each: words.get(each, each), key=f"{key}-name"
    )
    number = given.get(name) if isinstance(given.get(name), int) else None
    chosen = st.number_input("Value", 0, 2**53 - 1, number, key=key, placeholder="Kafka's default")
    return given | {name: None if chosen is None else int(chosen)}


KINDS: dict[str, Callable[[Field, Choices, Any, str], Any]] = {
    "members": _members,
    "member": _member,
    "topic": _topic,
    "grown": _grown,
    "topics": _topics,
    "rack": _rack,
    "whole": _whole,
    "number": _number,
    "measured": _measured,
    "rates": _rates,
    "text": _text,
    "lines": _lines,
    "yes": _yes,
    "choice": _choice,
    "processes": _processes,
    "gone": _gone,
    "process": _process,
    "setting": _setting,
}
