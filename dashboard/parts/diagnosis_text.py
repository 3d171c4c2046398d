"""A page's headline in bold, and the mark in front of the headline."""

from html import escape

import streamlit as st

from evenkeel.assignors.diagnosis.finding import Class, Code, Severity

_OF_CODE = {
    Code.STALLED: ("octagon", "bad"),
    Code.STUCK: ("bars", "bad"),
    Code.BLOCKED: ("bars", "bad"),
    Code.UNEVEN: ("diamond", "candidate"),
    Code.UNKNOWN: ("ring", "muted"),
}
_OF_CLASS = {
    Class.RECOVER: ("down", "better"),
    Class.FINE: ("tick", "better"),
    Class.LATER: ("ring", "muted"),
    Class.UNKNOWN: ("ring", "muted"),
}


def mark(code: Code, group_class: Class, severity: Severity) -> tuple[str, str]:
    """Return the shape and the tone of the mark in front of a headline."""
    if code == Code.REBALANCING:
        return "turn", "muted"
    if group_class in _OF_CLASS:
        return _OF_CLASS[group_class]
    if severity == Severity.CRITICAL:
        return "octagon", "bad"
    return _OF_CODE.get(code, ("triangle", "warn"))


def show_sentence(text: str, rest: str = "") -> None:
    """Draw a bold sentence, then `rest` in normal weight."""
    st.html(f'<p class="verdict advice"><b>{escape(text)}</b> {escape(rest)}</p>')
