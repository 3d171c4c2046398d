"""Home: the groups of an upload or of a cluster. If there is neither, home has a box to paste a
listing.
"""

import streamlit as st

from evenkeel.dashboard.groups import choices, cluster_list, home, loading
from evenkeel.dashboard.opening import import_result, start
from evenkeel.dashboard.scope import choose_cluster, readings
from evenkeel.dashboard.shell import address, by_link, importing, opened, problem, walk
from evenkeel.dashboard.shell.loading.example import is_its_slot
from evenkeel.dashboard.shell.loading.uploads import Import, imported
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError


def has_groups() -> bool:
    """Return whether home lists groups. If not, home has a box to paste a listing."""
    return importing.is_open() or choose_cluster.has_choice()


def show() -> None:
    """Draw the page; open the group that the reader clicked."""
    choices.follow()
    choose_cluster.follow_example()
    batch = _batch()
    if batch:
        _show_upload(batch)
    elif choose_cluster.has_choice():
        cluster_list.show()
    else:
        start.show()


def _batch() -> str | None:
    """Return the upload in the address, or else in the session.

    The address of a group also names the group's upload, so that the browser's Back leads to this
    upload.
    """
    if address.says("cluster") and not address.says("read"):
        importing.forget()
        return None
    of_group = address.take("opened")
    batch = importing.batch()
    if batch is None and of_group and importing.take_over(of_group):
        batch = importing.batch()
    if batch and is_its_slot(batch):
        choose_cluster.open_example()
        return None
    return batch


def _show_upload(batch: str) -> None:
    picked = home.picked()
    try:
        read = imported(batch)
        if (
            picked is not None
            and (place := address.whole(picked, len(read.groups) - 1)) is not None
        ):
            opened.open_group(read.groups.opened(place))
            by_link.open_first()
        _list(batch, read)
    except SnapshotError as error:
        problem.show(str(error))


def _stop(group: OpenGroup) -> walk.Stop:
    return walk.Stop(group.group_id, by_link.params(group))


def _list(batch: str, read: Import) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="home-head"):
        sentence = st.empty()
        st.space("stretch")
        if len(read.groups):
            readings.show_later(read.groups.opened(0))
        home.show_close("forget-import", importing.forget)
    if len(read.groups):
        groups = loading.of_upload(batch)
        home.remember(batch, groups, lambda row: _stop(read.groups.opened(int(row["id"]))))
        home.show(groups, sentence)
        if groups.is_behind:
            st.fragment(_wait, run_every=1.0)(batch)
    import_result.show(read)


def _wait(batch: str) -> None:
    """Draw the page again when the diagnoses are complete."""
    if not loading.of_upload(batch).is_behind:
        address.draw_again()
