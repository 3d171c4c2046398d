"""The question how numbers are written, for a column with several readings; the answer holds for the files that wait."""

from collections.abc import Sequence

import streamlit as st

from evenkeel.dashboard.widgets.start import waiting_files
from evenkeel.dashboard.words.names import literal
from evenkeel.data.sources import unknown_header
from evenkeel.data.sources.separated.values import STYLES

_FILES, _CHOSEN = "number-files", "number-chosen"

Files = Sequence[tuple[str, bytes]]


def waiting() -> bool:
    """Tell whether files wait for an answer."""
    return bool(st.session_state.get(_FILES))


def asks(files: Files) -> bool:
    """Keep files with such a column until a person answers; tell whether there are any."""
    if _CHOSEN in st.session_state or not any(unknown_header.open_number(*file, waiting_files.named_columns()) for file in files):
        return False
    st.session_state[_FILES] = list(files)
    return True


def chosen() -> str | None:
    """Return the answer once."""
    return st.session_state.pop(_CHOSEN, None)


def show() -> list[tuple[str, bytes]]:
    """Draw the question; return the files in the run with the answer, else none."""
    files = st.session_state[_FILES]
    name, number = next(
        (name, found) for name, data in files if (found := unknown_header.open_number(name, data, waiting_files.named_columns()))
    )
    with st.form("number-form", border=True):
        st.html('<h2 class="section">How are numbers written?</h2>')
        question = "This column can be read in several ways; choose how this file writes one thousand two hundred and thirty-four."
        st.caption(literal(f"{name}: {number}. {question}"))
        style = st.selectbox("Numbers are written as", list(STYLES), key="number-style")
        with st.container(horizontal=True):
            pressed = st.form_submit_button("Read with these numbers", type="primary")
            st.form_submit_button("Read something else", on_click=_drop)
    if not pressed:
        return []
    st.session_state[_CHOSEN] = style
    _drop()
    return files


def _drop() -> None:
    st.session_state.pop(_FILES, None)
