"""The group that an address names. A worked example has a slug, an upload a random id, and a
cluster a name.

`?sample=lag-aware`, `?opened=ID&group=payments`, `?cluster=production&group=payments`, with
`&at=2026-11-23T14:40Z` for a snapshot of that moment. Addresses that pages write have no group
names: `?opened=ID&place=2` is the upload's second group. Older addresses write the place as
`group=2`. So `group=2` is the second group, unless a group has the name `2`.
"""

from datetime import datetime

import streamlit as st

from evenkeel.dashboard.shell import address, importing, opened
from evenkeel.dashboard.shell.loading import applications
from evenkeel.dashboard.shell.loading.clusters import of_cluster
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.shell.navigation import STREAMS, TABS
from evenkeel.dashboard.times import from_iso
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.examples.worked_examples import (
    STREAMS_EXAMPLES,
    WORKED_EXAMPLES,
    streams_example,
    worked_example,
)

_KEYS = ("sample", "opened")
_GROUP, _PLACE, _CLUSTER, _AT = "group", "place", "cluster", "at"


def begins() -> bool:
    """Return whether the session has just started with an address that names a group. Later calls
    in the session return False.
    """
    return address.begin() and (address.says(*_KEYS) or _says_cluster())


def follow() -> datetime | None:
    """Open the group in the session's first address, or show why it cannot be opened. Write the
    open group to the address.

    If the address names a moment, return it in UTC without zone.
    """
    moment = None
    cluster = address.take(_CLUSTER) if _says_cluster() else None
    slug, batch, name, place = (address.take(key) for key in (*_KEYS, _GROUP, _PLACE))
    if address.is_followed():
        opened.close()
    if slug is not None:
        _open_example(slug)
    elif batch is not None:
        _open(batch, name, place)
    elif cluster is not None and name is not None:
        moment = _open_of_cluster(cluster, name, address.take(_AT))
    _write(opened.current())
    address.show_refused(opened.KEY)
    importing.show_refused()
    return moment


def follow_listing() -> bool:
    """Open the example or the upload that the address names. Return whether it is open now.

    The address keys `place` and `group` are left for the page's list of groups.
    """
    slug, batch = (address.take(key) for key in _KEYS)
    if slug is not None:
        _open_example(slug)
    elif batch is not None and not ((group := opened.current()) and group.batch == batch):
        importing.open_stored(batch)
    address.show_refused(opened.KEY)
    importing.show_refused()
    group = opened.current()
    return (
        group is not None
        and (slug or batch) is not None
        and (group.slug, group.batch) == (slug, batch or "")
    )


def show_listing(group: OpenGroup | None) -> None:
    """Write the listed example or upload to the address. If `group` is None, the address names
    neither an example nor an upload.
    """
    address.show(sample=group.slug if group else None, opened=(group and group.batch) or None)


def _open_example(slug: str) -> None:
    if worked_example(slug) or streams_example(slug):
        opened.open_example(slug)
        return
    available = ", ".join(example.slug for example in (*WORKED_EXAMPLES, *STREAMS_EXAMPLES))
    address.refuse(
        opened.KEY, f"No worked example is called “{slug[:80]}”; available: {available}."
    )


def _open(batch: str, name: str | None, place: str | None) -> None:
    """Open a group of an upload: the group at `place`, else the group called `name`, else the first
    group, which is the worst. `place` has priority over `name`, because only pages write `place`.
    """
    upload = importing.take_over(batch)
    if upload is None:
        return
    groups, place_text = upload.groups, place or name or "1"
    row = groups.place_named(name) if name and not place else None
    # For a reader who may not see every group, places differ, so a place identifies no group.
    if (
        row is None
        and not (groups.is_part and (place or name))
        and (number := address.whole(place_text, len(groups)))
    ):
        row = number - 1
    if row is not None:
        opened.open_group(groups.opened(row))
    else:
        expected = (
            "its name" if groups.is_part else f"its name, or a place from 1 to {len(groups):,}"
        )
        address.refuse(
            opened.KEY,
            f"The URL asks for the group “{place_text[:80]}” of this upload, expected {expected}.",
        )


def _says_cluster() -> bool:
    """Return whether the address names a group of a cluster. An address with a cluster but no group
    is for the list of groups.
    """
    return address.says(_CLUSTER) and address.says(_GROUP) and not address.says(*_KEYS)


def _open_of_cluster(cluster: str, group_id: str, at: str | None) -> datetime | None:
    """Open a cluster's group as it is now, or its snapshot at the moment `at`. Return that moment,
    or None. If the cluster does not answer, open the newest snapshot.
    """
    moment = from_iso(at) if at else None
    if at and moment is None:
        address.refuse(
            opened.KEY,
            f"The URL asks for the moment “{at[:40]}”, expected a moment such as"
            " 2026-11-23T14:40Z.",
        )
        return None
    try:
        opened.open_group(of_cluster(cluster, group_id, moment))
    except SnapshotError as error:
        address.refuse(opened.KEY, str(error))
        return None
    return moment


def params(group: OpenGroup) -> dict[str, str]:
    """Return the part of the address that names the group. Links to the group contain this part, so
    Back opens the group again.
    """
    if group.slug:
        return {"sample": group.slug}
    groups = imported(group.batch).groups
    if groups.is_part:
        return {"opened": group.batch} | ({_GROUP: group.group_id} if group.group_id else {})
    place = groups.place_of(group)
    if place is None or len(groups) == 1:
        return {"opened": group.batch}
    return {"opened": group.batch, _PLACE: str(place + 1)}


def _write(group: OpenGroup | None) -> None:
    params_of_group = params(group) if group else {}
    keys = (
        ("opened", _GROUP if _GROUP in params_of_group else _PLACE)
        if group and not group.slug
        else ("sample",)
    )
    address.show(**{key: params_of_group.get(key) for key in keys})


# The first page of the open group.


def first_page() -> str:
    """Return the script of the first page for the open group: Streams for a Kafka Streams
    application, else the first tab.
    """
    group = opened.current()
    place = STREAMS if group and applications.is_application(group) else TABS[0]
    return place.script


def open_first() -> None:
    """Open the group's first page with the group's address, so that Back does not lead to an
    address without a group.
    """
    group = opened.current()
    st.switch_page(first_page(), query_params=params(group) if group else None)
