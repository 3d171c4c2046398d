"""All pages in their order, with CSS, the line above each page, and the menu Share."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import streamlit as st

from evenkeel.dashboard import scripts, theme
from evenkeel.dashboard.groups import body
from evenkeel.dashboard.opening import dialog
from evenkeel.dashboard.parts import plot, reader_zone
from evenkeel.dashboard.scope import gain, scope, tabs
from evenkeel.dashboard.shares import menu, report_files
from evenkeel.dashboard.shares.loading.frozen import freezable
from evenkeel.dashboard.shell import account, address, by_link, importing, notices, problem
from evenkeel.dashboard.shell.cache import telling
from evenkeel.dashboard.shell.navigation import (
    COMPARE,
    GROUPS,
    HOME,
    OPEN,
    OVERVIEW,
    PLACES,
    SHARED,
    TABS,
    WHAT_IF,
    Place,
)
from evenkeel.dashboard.steps import state
from evenkeel.dashboard.view import OpenGroup
from evenkeel.dashboard.whatif import effects
from evenkeel.dashboard.whatif.effects import what_if
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline import uploads
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.text.formats import ordinal

STATIC = Path(__file__).parents[1] / "static"
_ROOT = STATIC.parent


def show() -> None:
    """Draw the page that the address names."""
    st.set_page_config(page_title="Evenkeel", page_icon=str(STATIC / "favicon.svg"), layout="wide")
    # Dialogs and menus are drawn outside of the element that has Streamlit's theme.
    style = (
        f"<style>:root{{color-scheme:{plot.side()}}}{theme.css_variables()}"
        f"{(STATIC / 'page.css').read_text()}{plot.style()}{tabs.style()}</style>"
    )
    st.html(style + scripts.inline("names"), unsafe_allow_javascript=True)
    st.logo(str(STATIC / "logo.svg"), size="medium")

    uploads.start()
    importing.free()

    pages = {place: _page(place) for place in PLACES}
    who = account.reader_or_none()
    page = st.navigation(list(pages.values()), position="top" if who else "hidden")
    place = next(place for place in PLACES if pages[place] == page)
    if who is None and place != SHARED:
        account.show_login()
        return
    if who is None:
        # A share that everybody with its link may open. Other shares need a login.
        st.page_link(pages[HOME], label="Log in", icon=":material/login:")
    account.show()

    # begins() is called first because it must read the address on every page.
    if by_link.begins() and place == HOME:
        names_candidate = "candidate" in st.query_params
        first = pages[COMPARE if names_candidate else TABS[0]]
        st.switch_page(first, query_params=st.query_params.to_dict())

    try:
        key = f"page-{place.url_path or 'home'}"
        with st.container(key=key):
            frame = st.container(gap="xsmall", key="of-a-group" if _has_scope(place) else None)
        with frame, address.drawn():
            plot.follow_window()
            reader_zone.follow()
            notices.show()
            # First, because without the configuration every address would look wrong and be
            # dropped.
            configuration()
            if who is not None:
                _show_tools(place)
            if _has_scope(place):
                if place == OVERVIEW:
                    scope.show_name(of_group)
                else:
                    scope.show(
                        *(effects.show_tools, of_what_if) if place == WHAT_IF else (None, of_group)
                    )
                tabs.show()
            with _told_place():
                page.run()
    except SnapshotError as error:
        problem.show(str(error))
        if place != HOME:
            st.page_link(pages[HOME], label="Groups", icon=":material/home:")


def _has_scope(place: Place) -> bool:
    return place.is_of_group and not place.has_own_line


def _show_tools(place: Place) -> None:
    """Draw the button Open in the header of every page."""
    has_box = place == OPEN or (place in (HOME, GROUPS) and not body.has_groups())
    with st.container(horizontal=True, gap="small", width="content", key="tools"):
        dialog.show_button(has_box=not has_box)


def _page(place: Place) -> st.Page:
    return st.Page(
        _ROOT / place.script,
        title=place.title,
        icon=None if place.is_in_menu else f":material/{place.icon}:",
        url_path=place.url_path or None,
        default=not place.url_path,
        visibility="visible" if place.is_in_menu else "hidden",
    )


# The menu Share of a page: it shares the open group, or the group with the steps of What-if.


def of_group(group: OpenGroup, candidate: str) -> None:
    """Draw the menu Share for the open group, without steps of What-if."""
    _show(group, [], 0, candidate)


def of_what_if(group: OpenGroup, candidate: str) -> None:
    """Draw the menu Share for the open scenario of What-if."""
    place = state.current(what_if(group)).place
    _show(group, place.steps, place.step, candidate)


def _show(group: OpenGroup, steps: Sequence[Step], step: int, candidate: str) -> None:
    compute = partial(freezable, group, steps, gain.asked())
    view: dict[str, str | int] = {"step": step, "candidate": candidate} if steps else {}
    offer = menu.of_steps(compute, group, steps, view)
    menu.show(offer, partial(report_files.show, compute, step, candidate))


# A page's place in the queue for heavy work, while the page waits.


@contextmanager
def _told_place() -> Iterator[None]:
    """Draw `waiting: 3rd in the queue` while a computation waits in the queue."""
    here, last_place = st.empty(), [0]

    def show(place: int) -> None:
        if place == last_place[0]:
            return
        last_place[0] = place
        if place:
            here.html(
                f'<span class="note" role="status">waiting: {ordinal(place)} in the queue</span>'
            )
        else:
            here.empty()

    with telling(show):
        yield
