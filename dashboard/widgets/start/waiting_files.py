"""Files with unknown names in their header: they wait for a person's answer, which holds for every table with the same header."""

from collections.abc import Mapping, Sequence

import streamlit as st

from evenkeel.dashboard.words.names import literal
from evenkeel.data.sources import unknown_header
from evenkeel.data.sources.separated.header import TableHeader
from evenkeel.data.sources.source import NamedColumns, labels
from evenkeel.data.words.formats import first_of

_KNOWN = "mapping"
_WAITING = "mapping-files"
_MOST_NAMES = 8

Files = Sequence[tuple[str, bytes]]


def ask(files: Files) -> None:
    """Keep files until their headers are known."""
    st.session_state[_WAITING] = list(files)


def drop() -> None:
    """Give up the files that wait; for callbacks."""
    st.session_state.pop(_WAITING, None)


def waiting() -> bool:
    """Tell whether a table waits for an answer."""
    return bool(st.session_state.get(_WAITING))


def named(files: Files) -> list[tuple[str, bytes]] | None:
    """Return the files and name their unused columns; None if a header still needs an answer."""
    known = _known()
    headers = [unknown_header.unknown_header(*file) for file in files]
    if any(header and header.cells not in known for header in headers):
        return None
    for (name, _), header in zip(files, headers, strict=True):
        if header:
            _tell_unused(name, header.not_used(known[header.cells]))
    return list(files)


def named_columns() -> tuple[NamedColumns, ...]:
    """Return all answers of this session, each for its header."""
    return tuple(_named(header, mapping) for header, mapping in _known().items())


def _named(header: tuple[str, ...], mapping: Mapping[str, int]) -> NamedColumns:
    name = labels(header)
    return NamedColumns(tuple((column, name[place]) for column, place in mapping.items()), header)


def first_unknown() -> tuple[str, bytes, TableHeader]:
    """Return the first table that waits for an answer: name, content, header."""
    return next(
        (name, data, header)
        for name, data in st.session_state[_WAITING]
        if (header := unknown_header.unknown_header(name, data)) and header.cells not in _known()
    )


def answered(layout: TableHeader, mapping: Mapping[str, int]) -> list[tuple[str, bytes]] | None:
    """Remember an answer; return all files once none of them needs another."""
    _known()[layout.cells] = mapping
    found = named(st.session_state[_WAITING])
    if found is not None:
        drop()
    return found


def _tell_unused(name: str, columns: Sequence[str]) -> None:
    if columns:
        st.toast(literal(f"{name}: not used: {', '.join(first_of(columns, _MOST_NAMES))}"), duration="long")


def _known() -> dict[tuple[str, ...], Mapping[str, int]]:
    return st.session_state.setdefault(_KNOWN, {})
