"""Freeze and share: title, note, expiry, which names leave as stand-ins, and every name that leaves."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.loading.shares import Freezable, expiries, freeze, names_in, owner, usual_expiry
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.widgets.shares import browser
from evenkeel.dashboard.widgets.shares.freezing import name_preview, what_is_inside
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.words.formats import count

_MADE = "share-made"


class Offer(NamedTuple):
    """What can be frozen. The link opens `step` and `candidate`.

    `compute` raises SnapshotError when an edit names what is not there; `inside` says what it has made, in terms and what they are.
    """

    compute: Callable[[], Freezable]
    inside: Callable[[Freezable], list[tuple[str, str]]]
    title: str
    forked_from: str | None
    step: int
    candidate: str


@st.dialog("Freeze and share", width="medium", icon=":material/ac_unit:")
def show(offer: Offer) -> None:
    """Draw the dialog; when the share is stored, its link."""
    made = st.session_state.pop(_MADE, None)
    if made:
        _show_link(made, offer)
        return
    st.caption("Makes a link that opens with these numbers, whatever happens to the group. Whoever has the link can read what is inside.")
    try:
        with st.spinner("Computing every answer …", show_time=True):
            what = offer.compute()
    except SnapshotError as error:
        problem.show(str(error))
        return
    left, right = st.columns([56, 44], gap="medium")
    with left:
        title = st.text_input("Title", value=offer.title, key="share-title", max_chars=200, placeholder="A share needs one")
        note = st.text_area("Note", key="share-note", max_chars=4_000, height=80, placeholder="What to look at, and what you conclude")
        keep = _expiry()
    with right:
        what_is_inside.show(offer.inside(what))
        author = st.text_input("Your name", key="share-author", max_chars=100, persist_state="session", placeholder="May stay empty")
    kinds = st.pills("Names that leave as stand-ins", KINDS, selection_mode="multi", key="share-kinds")
    name_preview.show(names_in(what, kinds), kinds)
    texts = {"title": title.strip(), "note": note.strip(), "author": author.strip()}
    # Above the button: below it, a refusal is out of view where the dialog is as high as the window.
    refused, is_confirmed = st.container(), _is_confirmed()
    with refused:
        if is_confirmed and _has_title(texts["title"]):
            _freeze(offer, what, keep, kinds, texts)


def suggested_title(steps: Sequence[Step | Step]) -> str:
    """Return the names that people gave to steps: a sentence of edits would name members."""
    return ", ".join(step.name for step in steps if step.name)[:200]


def _show_link(share_id: str, offer: Offer) -> None:
    st.success("Stored. The link opens with these numbers until it expires.", icon=":material/ac_unit:")
    st.code(browser.link_of(share_id, offer.step, offer.candidate), language=None, wrap_lines=True)
    st.caption("**Shared** lists what this browser has shared, and deletes it.")


def _expiry() -> timedelta | None:
    times = expiries()
    words = [_in_words(each) for each in times]
    chosen = st.segmented_control("Expires after", words, default=_in_words(usual_expiry()), key="share-expiry", required=True)
    return times[words.index(chosen)]


def _in_words(keep: timedelta | None) -> str:
    if keep is None:
        return "never"
    return count(keep.days, "day") if keep.days else count(round(keep.total_seconds() / 3600), "hour")


def _has_title(title: str) -> bool:
    if not title:
        problem.show("A share needs a title. Nothing is stored; what you have typed stays.")
    return bool(title)


def _is_confirmed() -> bool:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Only this browser can delete it." if owner() else "This browser keeps no cookie: the share cannot be deleted early.")
        st.space("stretch")
        # Never disabled: a title is known once its field is left, which the click on this button does. That click must not be lost.
        return st.button("Freeze", key="share-freeze", type="primary", icon=":material/ac_unit:")


def _freeze(offer: Offer, what: Freezable, keep: timedelta | None, kinds: Sequence[str], texts: dict[str, str]) -> None:
    try:
        made = freeze(what, keep=keep, redact=kinds, owner=owner(), forked_from=offer.forked_from, **texts)
    except SnapshotError as error:
        problem.show(f"{error}. Nothing is stored; what you have typed stays.")
        return
    st.session_state[_MADE] = made.share_id
    st.rerun(scope="fragment")
