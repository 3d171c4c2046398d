"""Questions about pasted files: the topic of a table without a topic, the meaning of an unknown
column, the format of numbers.

The files wait for the answers. An answer about columns applies to all tables with the same header.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter

import pandas as pd
import streamlit as st

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import long_table
from evenkeel.dashboard.shell import notices, problem
from evenkeel.data.sources import detection
from evenkeel.data.sources.separated.header import NEEDED, TableHeader
from evenkeel.data.sources.separated.values import STYLES
from evenkeel.data.sources.source import NamedColumns, labels
from evenkeel.data.text.formats import UNKNOWN, first_of, listed

_KNOWN = "mapping"
_WAITING = "mapping-files"
_MOST_NAMES = 8

Files = Sequence[tuple[str, bytes]]


def wait_for_columns(files: Files) -> None:
    """Store files until their headers are known."""
    st.session_state[_WAITING] = list(files)


def _drop(waiting: str) -> None:
    """Forget the waiting files; for callbacks."""
    st.session_state.pop(waiting, None)


def _reads(answer: str, waiting: str) -> bool:
    """Draw the buttons of a question. Return whether the reader confirmed the answer."""
    with st.container(horizontal=True):
        pressed = st.form_submit_button(f"Read with {answer}", type="primary")
        st.form_submit_button("Read something else", on_click=_drop, args=(waiting,))
    return pressed


def waiting_for_columns() -> bool:
    """Return whether a table needs an answer about its columns."""
    return bool(st.session_state.get(_WAITING))


def named(files: Files) -> list[tuple[str, bytes]] | None:
    """Return the files, and store a notice about unused columns. None if a header still needs an
    answer.
    """
    known = _known()
    headers = [detection.unknown_header(*file, _topic()) for file in files]
    if any(header and header.cells not in known for header in headers):
        return None
    for (name, _), header in zip(files, headers, strict=True):
        if header:
            _tell_unused(name, header.not_used(known[header.cells]))
    return list(files)


def named_columns() -> tuple[NamedColumns, ...]:
    """Return the answers of this session, each with the header of its table. Also return the topic
    of the last pasted files.
    """
    of_headers = (_named(header, mapping) for header, mapping in _known().items())
    of_topic = [NamedColumns((), topic=topic)] if (topic := _topic()) else []
    return *of_headers, *of_topic


def _named(header: tuple[str, ...], mapping: Mapping[str, int]) -> NamedColumns:
    name = labels(header)
    return NamedColumns(tuple((column, name[place]) for column, place in mapping.items()), header)


def first_unknown() -> tuple[str, bytes, TableHeader]:
    """Return the first table that needs an answer: name, content, header."""
    return next(
        (name, data, header)
        for name, data in st.session_state[_WAITING]
        if (header := detection.unknown_header(name, data, _topic()))
        and header.cells not in _known()
    )


def answered(layout: TableHeader, mapping: Mapping[str, int]) -> list[tuple[str, bytes]] | None:
    """Store an answer. If no file needs another answer, return all files; else None."""
    _known()[layout.cells] = mapping
    files = named(st.session_state[_WAITING])
    if files is not None:
        _drop(_WAITING)
    return files


def _tell_unused(name: str, columns: Sequence[str]) -> None:
    if columns:
        notices.leave(literal(f"{name}: not used: {', '.join(first_of(columns, _MOST_NAMES))}"))


def _known() -> dict[tuple[str, ...], Mapping[str, int]]:
    return st.session_state.setdefault(_KNOWN, {})


# Form for the meaning of columns, for tables with unknown names in their header.


_MEANINGS = {
    "taken_at": "time",
    "group_id": "group",
    "begin_offset": "first offset",
    "committed_offset": "committed offset",
    "end_offset": "end offset",
    "listed_lag": "lag",
    "member_id": "member id",
    "instance_id": "group instance id",
    "client_id": "client id",
}


def show_columns() -> list[tuple[str, bytes]]:
    """Draw the form for the first table that needs an answer. In the run with the last answer,
    return all files. In other runs, return nothing.
    """
    name, data, layout = first_unknown()
    with st.form("mapping-form", border=True):
        st.html('<h2 class="section">What does each column mean?</h2>')
        required = "Topic and partition are required; a column without a meaning is not used."
        st.caption(f"Some columns of this header are unknown. {_guesses(layout)}{required}")
        long_table.show(
            pd.DataFrame(detection.first_rows(data, layout), columns=labels(layout.cells)),
            f"First rows of {name}",
        )
        mapping = _choices(layout)
        pressed = _reads("these columns", _WAITING)
    missing = [column for column in NEEDED if column not in mapping]
    shared = _shared(mapping)
    if pressed and shared:
        column = labels(layout.cells)[mapping[shared[0]]]
        problem.show(
            f"{name}: {column!r} is chosen for {' and '.join(map(_meaning, shared))},"
            " expected only one of them"
        )
    elif pressed and missing:
        problem.show(f"{name}: no column for {' and '.join(missing)}, expected one for each")
    elif pressed:
        files = answered(layout, mapping)
        if files is None:
            st.rerun()
        return files
    return []


def _guesses(layout: TableHeader) -> str:
    """Return a sentence on guessed meanings, which the reader must confirm. Empty if nothing was
    guessed.

    Guesses use parts of column names, and the order of columns.
    """
    names = labels(layout.cells)
    guessed = [
        f"{names[place]} is {_meaning(column)}"
        for column, place in sorted(layout.likely.items(), key=itemgetter(1))
    ]
    return f"Guessed, please check: {literal(listed(guessed, len(guessed)))}. " if guessed else ""


def _choices(layout: TableHeader) -> dict[str, int]:
    options, guesses = [UNKNOWN, *labels(layout.cells)], {**layout.mapping, **layout.likely}
    chosen = {}
    grid = st.grid(4, min_column_width=150, gap="xsmall")
    for column in detection.COLUMNS:
        guess = guesses.get(column)
        with grid.cell():
            place = options.index(
                st.selectbox(
                    _meaning(column).capitalize(),
                    options,
                    index=0 if guess is None else guess + 1,
                    key=f"map-{column}",
                )
            )
        if place:
            chosen[column] = place - 1
    return chosen


def _shared(mapping: Mapping[str, int]) -> list[str]:
    """Return the meanings that share a column. If several columns are shared, return the meanings
    of the first column.
    """
    times = Counter(mapping.values())
    return next(
        (
            [column for column in mapping if mapping[column] == place]
            for place in times
            if times[place] > 1
        ),
        [],
    )


def _meaning(column: str) -> str:
    return _MEANINGS.get(column, column)


# Question about the topic of a table; the answer applies to the waiting files.


_OF_NO_TOPIC, _TOPIC = "topic-files", "topic-chosen"


def waiting_for_topic() -> bool:
    """Return whether a table needs an answer about its topic."""
    return bool(st.session_state.get(_OF_NO_TOPIC))


def asks_for_topic(files: Files) -> bool:
    """Store the files if a table has no topic. Return whether the files were stored."""
    st.session_state.pop(_TOPIC, None)
    asks = any(detection.lacks_topic(*file) for file in files)
    st.session_state[_OF_NO_TOPIC] = list(files) if asks else []
    return asks


def show_topic() -> list[tuple[str, bytes]]:
    """Draw the question. In the run with the answer, return the files. In other runs, return
    nothing.
    """
    files = st.session_state[_OF_NO_TOPIC]
    names = [name for name, data in files if detection.lacks_topic(name, data)]
    with st.form("topic-form", border=True):
        st.html('<h2 class="section">Which topic is it?</h2>')
        st.caption(literal(f"Nothing names the topic of the partitions in {listed(names)}."))
        topic = st.text_input("Topic", key="topic-name").strip()
        pressed = _reads("this topic", _OF_NO_TOPIC)
    if pressed and not topic:
        problem.show(f"{listed(names)}: the topic is missing, expected its name")
    if not pressed or not topic:
        return []
    st.session_state[_TOPIC] = topic
    _drop(_OF_NO_TOPIC)
    return files


def _topic() -> str | None:
    return st.session_state.get(_TOPIC)


# Question about the format of numbers, for an ambiguous column; the answer applies to the waiting
# files.


_FILES, _CHOSEN = "number-files", "number-chosen"


def waiting_for_numbers() -> bool:
    """Return whether files need an answer about numbers."""
    return bool(st.session_state.get(_FILES))


def asks_for_numbers(files: Files) -> bool:
    """Store the files until the reader answers, if a column or a number format is unknown. Return
    whether the files were stored.
    """
    if _CHOSEN in st.session_state or not any(
        detection.open_number(*file, named_columns()) for file in files
    ):
        return False
    st.session_state[_FILES] = list(files)
    return True


def chosen_numbers() -> str | None:
    """Return the answer and remove it."""
    return st.session_state.pop(_CHOSEN, None)


def show_numbers() -> list[tuple[str, bytes]]:
    """Draw the question. In the run with the answer, return the files. In other runs, return
    nothing.
    """
    files = st.session_state[_FILES]
    name, number = next(
        (name, example)
        for name, data in files
        if (example := detection.open_number(name, data, named_columns()))
    )
    with st.form("number-form", border=True):
        st.html('<h2 class="section">How are numbers written?</h2>')
        question = "This column can be read in several ways. Choose how this file writes 1234."
        st.caption(literal(f"{name}: {number}. {question}"))
        style = st.selectbox("Numbers are written as", list(STYLES), key="number-style")
        pressed = _reads("these numbers", _FILES)
    if not pressed:
        return []
    st.session_state[_CHOSEN] = style
    _drop(_FILES)
    return files
