"""The shares that this browser has made: open them, delete them."""

import streamlit as st

from evenkeel.dashboard.loading.shares import delete_share, own_shares, owner
from evenkeel.dashboard.widgets.parts import address, problem
from evenkeel.dashboard.words.names import literal
from evenkeel.dashboard.words.times import local, zone
from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares import Listed

OPEN = "share-open"


def show() -> None:
    """Draw the list, or how a first share is made."""
    mine = owner()
    found = own_shares(mine)
    st.subheader("Your shares", anchor=False)
    if not found:
        st.info("This browser has shared nothing yet. Open a group, then **Share** ▸ **Freeze and share**.")
        return
    for one in found:
        _show_one(one, mine)


def _show_one(one: Listed, secret: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", border=True, key=f"share-{one.share_id}"):
        st.markdown(f"**{literal(one.title)}**", width="stretch")
        until = f"expires {one.expires_at:%d %b %Y}" if one.expires_at else "never expires"
        created = f"{local(one.created_at):%d %b %Y, %H:%M} {zone(one.created_at)}"
        st.caption(f"{created} · {until} · {one.byte_count / 1000:,.1f} kB", width="content")
        st.button("Open", key=f"open-{one.share_id}", icon=":material/open_in_new:", on_click=_open, args=(one.share_id,))
        with st.popover("Delete", icon=":material/delete:"):
            st.caption("Its link stops working at once, for everyone.")
            st.button("Delete this share", key=f"delete-{one.share_id}", type="primary", on_click=_delete, args=(one.share_id, secret))


def _open(share_id: str) -> None:
    st.session_state[OPEN] = share_id
    address.chosen(OPEN)


def _delete(share_id: str, secret: str) -> None:
    try:
        delete_share(share_id, secret)
    except SnapshotError as error:
        problem.show(str(error))
