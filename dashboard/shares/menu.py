"""The menu Share: copy a link to the view, download a report, or freeze the view.

A dialog shows what the share will contain.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

from evenkeel.dashboard.shares import links
from evenkeel.dashboard.shares.contents import contents_of, show_contents
from evenkeel.dashboard.shares.loading.frozen import (
    Freezable,
    audiences,
    expiries,
    freezable_application,
    freeze,
    names_in,
    usual_expiry,
)
from evenkeel.dashboard.shares.loading.owners import owner
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.navigation import SHARED
from evenkeel.dashboard.shell.reader import reader
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.shares.redaction import KINDS, SHORTEST, Row
from evenkeel.data.shares.redaction.shapes import GROUP
from evenkeel.data.text.formats import count

_TIMES, _ASKED, _FORKS = "share-menu-closed", "share-asked", "forked-from"


class Offer(NamedTuple):
    """A view that can be frozen.

    `compute`: returns the contents of the share; raises SnapshotError if an edit names a missing
    thing. `title`: suggested title. `nameless`: suggested instead if `title` contains a name that
    gets a stand-in. `view`: parameters of the link, such as step and candidate.
    """

    compute: Callable[[], Freezable]
    title: str
    forked_from: str | None
    view: Mapping[str, str | int]
    nameless: str = ""


def of_steps(
    compute: Callable[[], Freezable],
    opened: OpenGroup,
    steps: Sequence[Step],
    view: Mapping[str, str | int],
) -> Offer:
    """Return the offer for a group or an application with steps.

    The title is made of the steps' names. Descriptions of edits would contain names of members.
    """
    title = ", ".join(step.name for step in steps if step.name)[:200]
    return Offer(compute, title, st.session_state.get(_FORKS, {}).get(opened.batch), view)


def fork(batch: str, share_id: str) -> None:
    """Remember that a what-if was forked from this share."""
    st.session_state[_FORKS] = st.session_state.get(_FORKS, {}) | {batch: share_id}


def show_application(
    opened: OpenGroup, steps: Sequence[Step], view: Mapping[str, str | int]
) -> None:
    """Draw the menu Share for an application with steps."""
    show(of_steps(partial(freezable_application, opened, steps), opened, steps, view))


def show(offer: Offer, show_files: Callable[[], None] | None = None, lasts: str = "") -> None:
    """Draw the menu Share. `show_files`: draws the buttons for files.

    `lasts`: for how long the link works, as the end of a sentence.
    """
    # A new key closes the menu, which would otherwise lie above the dialog.
    key = f"share-menu-{st.session_state.get(_TIMES, 0)}"
    with st.popover(
        "Share", icon=":material/share:", width="content", key=key, on_change="rerun"
    ) as menu:
        if menu.open:
            links.show_copy_link(_link_words("view", lasts))
            st.button(
                "Freeze and share …",
                key="freeze",
                icon=":material/ac_unit:",
                width="stretch",
                on_click=_ask,
            )
            if show_files:
                show_files()
            _show_shared()
    if st.session_state.pop(_ASKED, False):
        show_dialog(offer)


def show_link(lasts: str = "", then: str = "") -> None:
    """Draw the menu Share of a page that cannot be frozen.

    `then`: another effect of opening the link, as the end of a sentence.
    """
    with st.popover("Share", icon=":material/share:", width="content", key="share-link"):
        links.show_copy_link(_link_words("page", lasts, then))
        _show_shared()


def _show_shared() -> None:
    st.page_link(SHARED.script, label="Shared", icon=":material/inventory_2:", width="stretch")


def _link_words(noun: str, lasts: str, then: str = "") -> str:
    return f"This {noun} as it is{lasts}; anyone who opens it needs access to this Evenkeel{then}."


def _ask() -> None:
    st.session_state[_ASKED] = True
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1


# The dialog Freeze and share: title, note, expiry, kinds of names with stand-ins, and every name in
# the share.


_MADE, _KINDS, _TITLE, _SUGGESTED = "share-made", "share-kinds", "share-title", "share-suggested"


@st.dialog("Freeze and share", width="medium", icon=":material/ac_unit:")
def show_dialog(offer: Offer) -> None:
    """Draw the dialog "Freeze and share". After the share is stored, draw its link."""
    made = st.session_state.pop(_MADE, None)
    if made:
        _show_link(made, offer)
        return
    st.caption(
        "Makes a link that always shows these numbers. Everyone with the link can read the"
        " contents."
    )
    try:
        with st.spinner("Computing every answer …", show_time=True):
            freezable = offer.compute()
    except SnapshotError as error:
        problem.show(str(error))
        return
    rows = names_in(freezable, st.session_state.get(_KINDS) or ())
    left, right = st.columns([56, 44], gap="medium")
    with left:
        title = _title(offer, rows)
        note = st.text_area(
            "Note",
            key="share-note",
            max_chars=4_000,
            height=80,
            placeholder="Points to notice, and your conclusion",
        )
        keep = _expiry()
    with right:
        show_contents(contents_of(freezable, rows))
        audience = _audience()
        author = st.text_input(
            "Your name",
            key="share-author",
            max_chars=100,
            persist_state="session",
            placeholder="May stay empty",
        )
    kinds = st.pills("Names to replace with stand-ins", KINDS, selection_mode="multi", key=_KINDS)
    _show_names(rows, has_answers=bool(kinds) and freezable.origin is None)
    texts = {"title": title.strip(), "note": note.strip(), "author": author.strip()}
    # Above the button, because a refusal below it would be out of view if the dialog is as high as
    # the window.
    refused, is_confirmed = st.container(), _is_confirmed()
    with refused:
        if is_confirmed and _has_title(texts["title"]):
            _freeze(
                offer, freezable, keep, kinds, texts | ({"audience": audience} if audience else {})
            )


def _title(offer: Offer, rows: Sequence[Row]) -> str:
    """Draw the field for the title, and return the title.

    The suggested title follows the choice of stand-ins until the reader types a title.
    """
    replaced = [row for row in rows if row.stand_in is not None]
    # A short name may be a part of other words, so the title is searched only for a group's short
    # name.
    hidden = [
        row.name.casefold()
        for row in replaced
        if row.kind == GROUP.noun or len(row.name) >= SHORTEST
    ]
    suggested = (
        offer.nameless if any(name in offer.title.casefold() for name in hidden) else offer.title
    )
    if st.session_state.get(_TITLE) in (None, st.session_state.get(_SUGGESTED)):
        st.session_state[_TITLE] = suggested
    st.session_state[_SUGGESTED] = suggested
    return st.text_input(
        "Title",
        value=st.session_state[_TITLE],
        key=_TITLE,
        max_chars=200,
        placeholder="Required",
    )


def _show_link(share_id: str, offer: Offer) -> None:
    st.success("Stored. The link shows these numbers until it expires.", icon=":material/ac_unit:")
    st.code(links.link_of(share_id, **offer.view), language=None, wrap_lines=True)
    who = "you have" if reader().is_person else "this browser has"
    st.caption(f"The page **Shared** lists the shares that {who} made. You can delete them there.")


def _expiry() -> timedelta | None:
    times = expiries()
    words = [_in_words(each) for each in times]
    chosen = st.segmented_control(
        "Expires after", words, default=_in_words(usual_expiry()), key="share-expiry", required=True
    )
    return times[words.index(chosen)]


_AUDIENCES = {
    "link": "Everyone with the link",
    "login": "Logged-in people",
    "see": "People who may see this group",
}


def _audience() -> str | None:
    """Draw the choice of the share's audience, if the server has a login."""
    offered = audiences()
    if not offered:
        return None
    return st.selectbox(
        "Who may open it",
        offered,
        format_func=_AUDIENCES.__getitem__,
        key="share-audience",
        persist_state="session",
    )


def _in_words(keep: timedelta | None) -> str:
    if keep is None:
        return "never"
    return (
        count(keep.days, "day") if keep.days else count(round(keep.total_seconds() / 3600), "hour")
    )


def _has_title(title: str) -> bool:
    if not title:
        problem.show("A share needs a title. Nothing is stored; your text stays.")
    return bool(title)


def _is_confirmed() -> bool:
    with st.container(horizontal=True, vertical_alignment="center"):
        whose = (
            "Only you can delete it." if reader().is_person else "Only this browser can delete it."
        )
        no_cookie = (
            "This browser stores no cookie, so the share cannot be deleted before it expires."
        )
        st.caption(whose if owner() else no_cookie)
        st.space("stretch")
        # Never disabled: the browser sends the title only when the reader leaves its field. The
        # click on this button does that, and a disabled button would lose the click.
        return st.button("Freeze", key="share-freeze", type="primary", icon=":material/ac_unit:")


def _freeze(
    offer: Offer,
    view: Freezable,
    keep: timedelta | None,
    kinds: Sequence[str],
    texts: dict[str, str],
) -> None:
    try:
        made = freeze(
            view, keep=keep, redact=kinds, owner=owner(), forked_from=offer.forked_from, **texts
        )
    except SnapshotError as error:
        problem.show(f"{error}. Nothing is stored; your text stays.")
        return
    st.session_state[_MADE] = made.share_id
    st.rerun(scope="fragment")


# Every name in a share, and its stand-in.


_AS_IT_IS = "as it is"


def _show_names(rows: Sequence[Row], has_answers: bool) -> None:
    """Draw the table of names, names with a stand-in first.

    `has_answers`: the share has answers that were computed with the true names.
    """
    hidden = [row for row in rows if row.stand_in is not None]
    st.html(
        f"<b>Preview</b> <span class='note'>{count(len(hidden), 'name')} as stand-ins,"
        f" {len(rows) - len(hidden):,} as they are</span>"
    )
    shown = [*hidden, *(row for row in rows if row.stand_in is None)]
    frame = pd.DataFrame(
        {
            "Kind": [row.kind for row in shown],
            "Name here": [row.name for row in shown],
            "In the share": [
                row.stand_in if row.stand_in is not None else _AS_IT_IS for row in shown
            ],
            "Still readable in": [", ".join(row.readable_in) for row in shown],
        }
    )
    if not frame["Still readable in"].any():
        frame = frame.drop(columns="Still readable in")
    st.dataframe(frame, hide_index=True, height=200, alt="Names in the share")
    if has_answers:
        st.caption(
            "Kafka's answers depend on names. A share with stand-ins keeps the answers that were"
            " computed with the true names, and says “computed on the original names, cannot"
            " be recomputed here”."
        )
