"""Links to a view or a share, the open share, the list of own shares, and the page for a wrong
id.
"""

from urllib.parse import urlencode

import streamlit as st

from evenkeel.dashboard import scripts
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shares.loading.owners import delete_share, own_shares, owner
from evenkeel.dashboard.shell import address, problem
from evenkeel.dashboard.shell.reader import reader
from evenkeel.dashboard.times import local, zone
from evenkeel.data.errors import NoShareError, SnapshotError
from evenkeel.data.shares.share import ShareListing

OPEN = "share-open"


def address_here() -> str:
    """Return the address of the open view."""
    query = urlencode(st.query_params.to_dict())
    return f"{_base()}?{query}" if query else _base()


def _base() -> str:
    return (st.context.url or "").partition("?")[0].rstrip("/")


def link_of(share_id: str, **view: str | int) -> str:
    """Return the address that opens a share. `view`: parameters, such as step and candidate."""
    return f"{_base().rpartition('/')[0]}/shared?{urlencode({'share': share_id, **view})}"


# Copy link: the address of the open view.


def show_copy_link(hint: str = "") -> None:
    """Draw the button "Copy link". `hint`: text below its label."""
    below = f"<small>{hint}</small>" if hint else ""
    button = (
        f'<button class="copy-link {"in-menu" if hint else "alone"}" type="button"><span>Copy'
        f" link</span>{below}</button>"
    )
    st.html(
        button + scripts.inline("copy"),
        unsafe_allow_javascript=True,
        width="stretch" if hint else "content",
    )


# The share of the address, if any.


def chosen_share() -> str | None:
    """Return the id of the open share, from the address or the session, and write it to the
    address.
    """
    linked = address.take("share")
    if linked is not None:
        st.session_state[OPEN] = linked
    elif address.is_followed():
        st.session_state.pop(OPEN, None)
    share_id = st.session_state.get(OPEN)
    address.show(share=share_id)
    return share_id


def close() -> None:
    """Close the share, so that the list of shares is shown. Use as a widget callback."""
    st.session_state.pop(OPEN, None)


# The shares that this browser made, with buttons to open and delete them.


def show_own_list() -> None:
    """Draw the list of the reader's own shares. If the list is empty, say how to make a share."""
    mine = owner()
    own_list = own_shares(mine)
    st.subheader("Your shares", anchor=False)
    if not own_list:
        who = "You have" if reader().is_person else "This browser has"
        st.info(f"{who} shared nothing yet. Open a group, then **Share** ▸ **Freeze and share**.")
        return
    for own_share in own_list:
        _show_one(own_share, mine)


def _show_one(own_share: ShareListing, secret: str) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", border=True, key=f"share-{own_share.share_id}"
    ):
        st.markdown(f"**{literal(own_share.title)}**", width="stretch")
        until = (
            f"expires {own_share.expires_at:%d %b %Y}" if own_share.expires_at else "never expires"
        )
        created = f"{local(own_share.created_at):%d %b %Y, %H:%M} {zone(own_share.created_at)}"
        st.caption(f"{created} · {until} · {own_share.byte_count / 1000:,.1f} kB", width="content")
        st.button(
            "Open",
            key=f"open-{own_share.share_id}",
            icon=":material/open_in_new:",
            on_click=_open,
            args=(own_share.share_id,),
        )
        with st.popover("Delete", icon=":material/delete:"):
            st.caption("The link of the share stops working at once, for everyone.")
            st.button(
                "Delete this share",
                key=f"delete-{own_share.share_id}",
                type="primary",
                on_click=_delete,
                args=(own_share.share_id, secret),
            )


def _open(share_id: str) -> None:
    st.session_state[OPEN] = share_id
    address.chosen(OPEN)


def _delete(share_id: str, secret: str) -> None:
    try:
        delete_share(share_id, secret)
    except SnapshotError as error:
        problem.show(str(error))


# One page for every id without a share, so that nobody learns which ids ever existed.


def show_no_share(error: NoShareError) -> None:
    """Draw why the share cannot be opened, and what the reader can do."""
    st.warning(literal(str(error)), icon=":material/link_off:")
    st.caption(
        "The link may be cut or mistyped; the share may have expired, or its author may have"
        " deleted it. Ask the sender to freeze the view again."
    )
    st.button("Your shares", icon=":material/list:", on_click=close)
