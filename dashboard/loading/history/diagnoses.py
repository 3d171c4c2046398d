"""What is wrong with a group, in sentences: with an open one, and with those of a list, from the last snapshots."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from assignors.history.diagnosis import always_idle
from assignors.history.now import now
from dashboard.loading.cache.cache import ALL
from dashboard.loading.cache.later import missing
from dashboard.loading.history.speeds import speeds
from dashboard.loading.history.verdicts import newest_slots
from dashboard.view import View
from data.configuration import configuration
from data.errors import SnapshotError
from data.lake.history.history import history_in
from data.lake.history.instants import Instants
from data.lake.place import Place
from data.words.diagnosis import MOST, idle_words, told


def diagnosis(view: View) -> list[str]:
    """Return at most two sentences, the worst first; those of the history where the lake can be read."""
    found = _of_history(view)
    idle = always_idle(view.observed.snapshot)
    return [*found, *([idle_words(idle, view.observed.snapshot.member_count)] if idle else [])][:MOST]


class ListedDiagnoses(NamedTuple):
    """Sentences by group id; `is_behind`: some are still to come, or are of the slots before."""

    sentences: Mapping[str, tuple[str, ...]]
    is_behind: bool


def listed_diagnoses(cluster: str, assignors: Mapping[str, str | None]) -> ListedDiagnoses:
    """Return at most two sentences for each of these groups, with its assignor in use, without waiting: they are made behind the page.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    lake, newest = configuration().lake, newest_slots(cluster)
    if not newest.batches or not assignors:
        return ListedDiagnoses({}, False)
    asked = (listed_diagnoses, lake, cluster, newest.axis.batch[-1], tuple(sorted(assignors.items())))
    is_behind = bool(missing({asked: partial(_look_at, lake, cluster, newest, assignors)}))
    found = {group_id: ALL.find((listed_diagnoses, lake, cluster, group_id)) for group_id in assignors}
    return ListedDiagnoses({group_id: one for group_id, one in found.items() if one}, is_behind)


def _look_at(lake: Place, cluster: str, newest: Instants, assignors: Mapping[str, str | None], is_asked: Callable[[], bool]) -> None:
    for group_id, assignor in assignors.items():
        if not is_asked():
            return
        series = history_in(lake, group_id, newest, cluster).by_lineage.series
        # Under a key without the slot: a page shows them until there are newer ones.
        ALL.put((listed_diagnoses, lake, cluster, group_id), told(now(series), assignor))


def _of_history(view: View) -> tuple[str, ...]:
    try:
        found = speeds(view.opened)
    except SnapshotError:
        return ()
    if found is None:
        return ()
    series = found.series
    key = (diagnosis, view.opened, series.time[-1])
    return ALL.get(key, lambda: told(now(series), view.observed.assignor, view.name_of))
