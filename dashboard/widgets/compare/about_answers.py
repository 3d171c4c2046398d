"""Beside the figures: the way to the candidate, and what is to be known of each answer."""

from collections.abc import Mapping, Sequence

import streamlit as st

from assignors.explain.facts import NO_FACTS, Facts
from assignors.figures.comparison import CURRENT, Row
from dashboard import loading
from dashboard.view import Opened, View
from dashboard.widgets.compare import apply_steps, pauses, quirk_list, remarks_list, upgrade
from dashboard.words.answers.quirks import named
from dashboard.words.answers.remarks import remarks


def show(group: Opened, view: View, candidate: Row, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]]) -> None:
    """Draw both side by side; of a candidate that has no answer only the second."""
    switch = facts.get(candidate.name, NO_FACTS).switch
    if switch is None:
        apply_steps.show(view, candidate)
        upgrade.show(group, view, candidate)
        _show_answers(view, candidate, facts, why)
        return
    way, answers = st.columns([38, 62], gap="medium")
    with way:
        pauses.show(view, candidate, switch, loading.change(group, CURRENT, candidate.name))
        apply_steps.show(view, candidate)
        upgrade.show(group, view, candidate)
    with answers:
        _show_answers(view, candidate, facts, why)


def _show_answers(view: View, candidate: Row, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]]) -> None:
    remarks_list.show(remarks(view, facts, why), candidate.name, bool(view.observed.assumed))
    quirk_list.show(named(facts))
