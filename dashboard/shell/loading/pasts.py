"""The past of a group in its cluster's metrics store, in addition to the lake: one week, read once
a minute. If neither the lake nor the brokers have any group, the last slot of all groups is read
too.
"""

from contextlib import closing
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.clusters import Profile, profile_with_past
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.lake.place import Place
from evenkeel.data.prometheus.facts import PastFacts, StoredLast

WEEK = timedelta(days=7)
MOST_CELLS = 10_000_000
"""Partitions times slots for one page: a week of 250 partitions that are scraped every 15 s."""

HOURS = timedelta(hours=6)
MOST_CELLS_OF_ALL = 2_000_000
"""Partitions times slots for all groups: 5,000 partitions that are scraped every minute."""

SECONDS = 60
"""An answer or refusal that is younger than this is used again."""


class Below(NamedTuple):
    """A lake completed by the past from a metrics store. `facts`: the source of the past.
    `problem`: why the store is unreadable. Both are empty if the store has no data of the group.
    """

    place: Place
    facts: PastFacts | None = None
    problem: str = ""


def lake_with_past(lake: Place, cluster: str, group_id: str) -> Below:
    """Return the lake completed by a group's last week. For a cluster without a store, return only
    the lake.
    """
    profile = profile_with_past(cluster)
    if profile is None or profile.past is None:
        return Below(lake)
    key = (lake_with_past, lake, cluster, group_id, profile.past.prometheus)
    return ALL.get(key, partial(_read, lake, profile, group_id), SECONDS)


def hours_in_store(cluster: str, batch: str) -> Below:
    """Return a lake with the last hours of all groups in a cluster's store. `batch`: the last slot,
    so that each slot is requested once from the store.
    """
    profile = profile_with_past(cluster)
    if profile is None:
        return Below(configuration().lake)
    key = (hours_in_store, *_last_key(profile), batch)
    return ALL.get(key, partial(_read, configuration().lake, profile, None), SECONDS)


def _read(lake: Place, profile: Profile, group_id: str | None) -> Below:
    until = clock.now()
    since, cells = (until - WEEK, MOST_CELLS) if group_id else (until - HOURS, MOST_CELLS_OF_ALL)
    try:
        # A dashboard without the extra `live` has no Kafka client.
        with required("live"):
            from evenkeel.data.prometheus.past import Past, with_past
        with closing(Past(profile)) as past:
            return Below(*with_past(lake, past, group_id, since, until, cells))
    except SnapshotError as error:
        return Below(lake, problem=str(error))


def last_in_store(cluster: str) -> StoredLast | None:
    """Return the last slot of all groups of a cluster; None for a cluster without a store.

    Raises
    ------
    SnapshotError
        If the store does not answer, or has no group in the last hours.
    """
    profile = profile_with_past(cluster)
    if profile is None or profile.past is None:
        return None
    return ALL.get(_last_key(profile), partial(_last, profile), SECONDS)


def last_kept(cluster: str) -> StoredLast | None:
    """Return the last slot if a page has just read it. The store is not read."""
    profile = profile_with_past(cluster)
    return ALL.find(_last_key(profile)) if profile is not None and profile.past else None


def _last_key(profile: Profile) -> tuple[object, ...]:
    store = profile.past and profile.past.prometheus
    return last_in_store, configuration().lake, profile.name, store


def _last(profile: Profile) -> StoredLast:
    with required("live"):
        from evenkeel.data.prometheus.last import stored_last
    return stored_last(profile)
