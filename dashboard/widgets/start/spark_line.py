"""One quiet line beside the button: what can be read, or that Spark is still starting, or what it lacks."""

from html import escape

import streamlit as st

from data.pipeline import uploads


def show(ready: str) -> None:
    """Draw the line; while Spark starts it looks again every two seconds."""
    st.fragment(_line, run_every="2s" if uploads.spark_state() == "starting" else None)(ready)


def _line(ready: str) -> None:
    state = uploads.spark_state()
    if state == "starting":
        st.html('<span class="note">Spark is starting; new listings wait a few seconds. Worked examples do not need it.</span>')
    elif state.startswith("missing:"):
        st.html(f'<span class="note worse">Worked examples open; listings cannot be read. {escape(state[:1].upper() + state[1:])}</span>')
    else:
        st.html(f'<span class="note">{escape(ready)}</span>')
