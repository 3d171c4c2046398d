"""The history of a group from its cluster's metrics store, added to the history in the lake. The
store's history covers one week and is read at most once a minute. If neither the lake nor the
brokers know any group, the store's last slot of all groups is read too.
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
    """A lake, with the history from a metrics store added. `facts`: about the added history, or
    None. `problem`: why the store cannot be read, or an empty text.
    """

    place: Place
    facts: PastFacts | None = None
    problem: str = ""


def lake_with_past(lake: Place, cluster: str, group_id: str) -> Below:
    """Return the lake plus the last week of a group from the metrics store. If the cluster has no
    store, return the lake alone.
    """
    profile = profile_with_past(cluster)
    if profile is None or profile.past is None:
        return Below(lake)
    key = (lake_with_past, lake, cluster, group_id, profile.past.prometheus)
    return ALL.get(key, partial(_read, lake, profile, group_id), SECONDS)


def hours_in_store(cluster: str, batch: str) -> Below:
    """Return the lake plus the last hours of all groups of a cluster from the cluster's metrics
    store. `batch`: the last slot. The store is read only once for each `batch`.
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
    """Return the last slot of a cluster's metrics store, with all groups. None if the cluster has
    no store.

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
    """Return the last slot of a cluster's metrics store from the cache, or None. The store is not
    read.
    """
    profile = profile_with_past(cluster)
    return ALL.find(_last_key(profile)) if profile is not None and profile.past else None


def _last_key(profile: Profile) -> tuple[object, ...]:
    store = profile.past and profile.past.prometheus
    return last_in_store, configuration().lake, profile.name, store


def _last(profile: Profile) -> StoredLast:
    with required("live"):
        from evenkeel.data.prometheus.last import stored_last
    return stored_last(profile)
