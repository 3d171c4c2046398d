"""What is to be said of each answer, as a list; the candidate's in its colour."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from dashboard.words.answers.remarks import Remark


def show(remarks: Sequence[Remark], candidate: str, is_assumed: bool) -> None:
    """Draw the list, or one line where there is nothing to say; `is_assumed`: the input leaves something open all the same."""
    st.subheader("Caveats", anchor=False)
    if not remarks:
        st.caption(f"{'No assumption decides an answer' if is_assumed else 'Nothing is assumed'}, and no known quirk of Kafka affects these answers.")
        return
    st.html(f'<dl class="remarks">{"".join(_row(remark, candidate) for remark in remarks)}</dl>')


def _row(remark: Remark, candidate: str) -> str:
    names = ", ".join(f"<b>{escape(name)}</b>" if name == candidate else escape(name) for name in remark.names)
    return f'<div><dt class="who">{names}</dt>{"".join(f"<dd>{escape(text)}</dd>" for text in remark.sentences)}</div>'
