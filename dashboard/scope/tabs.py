"""The tabs below the navigation: all pages of the open group."""

import streamlit as st

from evenkeel.dashboard.shell import address, by_link, opened, walk
from evenkeel.dashboard.shell.loading.readings import own_readings
from evenkeel.dashboard.shell.navigation import HOME, OVERVIEW, TABS, TIMELINE, Place
from evenkeel.dashboard.view import OpenGroup

_ONE_READING = "One reading: Timeline needs two"


# A rule with :has would be slow: a node that a figure inserts would restyle the whole page.
_LINK = '[data-testid="stTopNavLink"]'
_IN_GROUPS = (
    f"<style>{_LINK}[aria-current] {{ background: none !important; &, * {{ font-weight: inherit"
    f' !important; }} }} [data-testid="stTopNav"] > :first-child {_LINK} {{ background:'
    " var(--open-link); }</style>"
)


def show() -> None:
    """Draw the tabs of the open group and a link to the list of groups. Nothing without an open
    group.

    The navigation above marks "Groups" as the current page.
    """
    group = opened.current()
    if group is None:
        return
    params = by_link.params(group)
    st.html(_IN_GROUPS)
    with st.container(key="tabs-row", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="tabs", horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(HOME.script, label="‹", help="Groups", width="content")
            for place in TABS:
                with st.container(width="content", key=f"tab-{place.url_path}"):
                    why = _lacks(place, group)
                    st.page_link(
                        place.script,
                        label=place.title,
                        query_params=params,
                        disabled=bool(why),
                        help=why or None,
                        width="content",
                    )
        _show_walk(group)


def _show_walk(group: OpenGroup) -> None:
    """Draw `3 of 12` and buttons to the previous and next group, among the groups that need
    attention.
    """
    step = walk.step(group)
    if step is None or step.total < 2:
        return
    st.html(f'<span class="note">{step.place:,} of {step.total:,}</span>', width="content")
    for side, name, link in (("left", "before", step.before), ("right", "after", step.after)):
        # Buttons, not links, because within a session a page reads no group from a link's address.
        is_clicked = st.button(
            f"{'Previous' if name == 'before' else 'Next'} group that needs you",
            icon=f":material/chevron_{side}:",
            key=f"walk-{name}",
            type="tertiary",
            disabled=link is None,
        )
        if is_clicked and link is not None:
            address.lead_to(**link)
            st.switch_page(OVERVIEW.script, query_params=link)


def _lacks(place: Place, group: OpenGroup) -> str:
    """Return why a page cannot show the group, or an empty text."""
    if place != TIMELINE:
        return ""
    own = own_readings(group)
    return _ONE_READING if group.slug or (own and len(own.times) < 2) else ""


def style() -> str:
    """Return CSS that highlights the tab of the current page."""
    marked = ",".join(
        f".st-key-page-{place.url_path} .st-key-tab-{place.url_path}" for place in TABS
    )
    return f":is({marked}){{box-shadow:inset 0 -2px var(--ink);}}"
