"""Beside the figures: the way to the candidate, and what there is to know about each answer."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.answer_facts import known_times
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.widgets.compare import apply_steps, other_leaders, pauses, upgrade, way_out
from evenkeel.dashboard.words.remarks import MEANINGS, Remark, named, remarks
from evenkeel.data.words.formats import listed


def show(group: Opened, view: View, candidate: Row, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]]) -> None:
    """Draw both side by side; only the second for a candidate without an answer."""
    known = facts.get(candidate.name, NO_FACTS)
    if known.switch is None:
        _show_ways(group, view, candidate, known)
        _show_answers(view, candidate, facts, why)
        return
    way, answers = st.columns([38, 62], gap="medium")
    with way:
        pauses.show(view, candidate, known.switch, loading.change(group, CURRENT, candidate.name))
        _show_ways(group, view, candidate, known)
    with answers:
        _show_answers(view, candidate, facts, why)


def _show_ways(group: Opened, view: View, candidate: Row, known: Facts) -> None:
    way_out.show(view, candidate, known)
    apply_steps.show(view, candidate)
    upgrade.show(group, view, candidate)
    other_leaders.show(group, view, candidate)


def _show_answers(view: View, candidate: Row, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]]) -> None:
    is_assumed = bool(view.observed.assumed) or any(found.assumed for found in known_times(view).values())
    _show_remarks(remarks(view, facts, why), candidate.name, is_assumed)
    _show_meanings(named(facts, view.comparison.rows))


def _show_remarks(remarks: Sequence[Remark], candidate: str, is_assumed: bool) -> None:
    """Draw the remarks with the candidate's name in its colour, or one line if there are none; `is_assumed`: some inputs are assumed."""
    st.subheader("Caveats", anchor=False)
    if not remarks:
        assumed = "No assumption decides an answer" if is_assumed else "Nothing is assumed"
        st.caption(f"{assumed}, and no known quirk of Kafka affects these answers.")
        return
    st.html(f'<dl class="remarks">{"".join(_remark(remark, candidate) for remark in remarks)}</dl>')


def _remark(remark: Remark, candidate: str) -> str:
    names = ", ".join(f"<b>{escape(name)}</b>" if name == candidate else escape(name) for name in remark.names)
    return f'<div><dt class="who">{names}</dt>{"".join(f"<dd>{escape(text)}</dd>" for text in remark.sentences)}</div>'


def _show_meanings(names: Sequence[str]) -> None:
    """Draw a closed box with the meaning of numbered behaviours and what to do about each; nothing without names."""
    if names:
        with st.expander(f"{listed(names, len(names))}: meaning and remedy", key="quirks"):
            st.html(f'<dl class="remarks meanings">{"".join(map(_meaning, names))}</dl>')


def _meaning(name: str) -> str:
    what, action = MEANINGS[name]
    todo = f"<dd><b>What to do:</b> {escape(action)}</dd>" if action else ""
    return f'<div><dt class="quirk">{name}</dt><dd>{escape(what)}</dd>{todo}</div>'
