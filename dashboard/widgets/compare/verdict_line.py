"""The first sentences of the page: whether a switch is worth it, what the candidate does where that is another one, and what is wrong."""

from html import escape

import streamlit as st

from evenkeel.assignors import ASSIGNORS, JAVA
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.assignors.rounds.switch import Switch
from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.answer_facts import known_times
from evenkeel.dashboard.loading.history.verdicts import diagnosis
from evenkeel.dashboard.view import View
from evenkeel.dashboard.widgets.compare import member_picker
from evenkeel.dashboard.widgets.parts import advice
from evenkeel.dashboard.widgets.scope import diagnosis_line, gain
from evenkeel.dashboard.words.verdict import Situation, Verdict, verdict
from evenkeel.data.scenarios.leaders import in_use


def show(view: View, candidate: Row, switch: Switch | None) -> None:
    """Draw the advice with the gain that it asks for, then the candidate."""
    advised = loading.advice(view, gain.asked())
    advice.show(advised)
    # A place of its own also where it stays empty: the table below would be drawn anew, and lose the focus.
    with st.container(key="candidate-verdict"):
        if advised.advice.offer is None or advised.advice.offer.name != candidate.name:
            st.html(_paragraph(_of_candidate(view, candidate, switch)))
        diagnosis_line.show(diagnosis(view), view.opened, members=member_picker.ANCHOR)


def _of_candidate(view: View, candidate: Row, switch: Switch | None) -> Verdict:
    rows, drains = view.comparison.rows, known_times(view)
    return verdict(
        Situation(
            current=rows[0],
            candidate=candidate,
            switch=switch,
            tp_count=view.comparison.group.tp_count,
            is_in_use=candidate.name == in_use(view.observed),
            client=view.client if view.observed.is_classic else JAVA,
            needs_jar=candidate.name not in ASSIGNORS or not ASSIGNORS[candidate.name].is_in_kafka,
            drains_now=drains.get(CURRENT),
            drains=drains.get(candidate.name),
        )
    )


def _paragraph(said: Verdict) -> str:
    return f'<p class="verdict"><span{f" class={said.tone}" * bool(said.tone)}>{escape(said.answer)}</span>{escape(said.rest)}</p>'
