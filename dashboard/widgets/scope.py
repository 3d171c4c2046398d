"""The line above every page: which group, how sure, as of when, and the candidate that it is compared with."""

from collections.abc import Sequence

import streamlit as st

from assignors.comparison import Row
from dashboard import loading
from dashboard.assumptions import in_words_all
from dashboard.widgets import address, awaited_answers, by_link, group_facts, live_group, opened, release
from data.columns import assumed_paths

_KEY = "candidate"
_DEFAULT = "lag"


def candidate(view: loading.View) -> Row:
    """Return the row of the assignor that the group is compared with."""
    rows = {row.name: row for row in view.comparison.rows[1:]}
    return rows.get(st.session_state.get(_KEY)) or rows.get(_DEFAULT) or next(iter(rows.values()))


def assumed(view: loading.View) -> list[str]:
    """Return what was assumed for the candidate's answer, in words."""
    row = candidate(view)
    return in_words_all(view.observed, assumed_paths(view.observed, row.assignment) if row.assignment else view.observed.assumed)


def choose(name: str) -> None:
    """Make another assignor the candidate; for callbacks."""
    st.session_state[_KEY] = name
    address.chosen(_KEY)


def show() -> None:
    """Draw the line; without an open group only the candidate."""
    by_link.follow()
    release.choose_first()
    group = release.asked(opened.current())
    view = loading.view(group) if group else None
    names = [row.name for row in view.comparison.rows[1:]] if view else loading.assignor_names()
    _choose_first(names)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        if view:
            group_facts.show(view, group, assumed(view))
            if view.waiting:
                awaited_answers.show(group)
        st.space("stretch")
        release.show(st.session_state[_KEY])
        st.html('<span class="note candidate-label">Candidate</span>', width="content")
        names.sort(key=lambda name: name != _DEFAULT)
        chosen = st.selectbox(
            "Candidate", names, key=_KEY, persist_state="session", on_change=address.chosen, args=(_KEY,), label_visibility="collapsed", width=160
        )
    address.show(candidate=chosen)
    address.show_refused(_KEY)
    if group:
        live_group.show(group)
    address.show_refused("kafka")


def _choose_first(names: Sequence[str]) -> None:
    """Make the candidate one of `names` before anything is drawn: that of the first address, else the one chosen last, else the default."""
    address.follow(_KEY, names, _DEFAULT if _DEFAULT in names else names[0], "candidate")
