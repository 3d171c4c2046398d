"""What is wrong with an open group, in sentences, from its last snapshots and from how many members and partitions it has."""

from functools import partial

from assignors.history.diagnosis import always_idle, diagnoses
from assignors.history.now import now
from dashboard.loading.cache.cache import ALL
from dashboard.loading.history.speeds import speeds
from dashboard.view import View
from data.errors import SnapshotError
from data.words.diagnosis import MOST, diagnosis_words, idle_words


def diagnosis(view: View) -> list[str]:
    """Return at most two sentences, the worst first; those of the history where the lake can be read."""
    found = _of_history(view)
    idle = always_idle(view.observed.snapshot)
    return [*found, *([idle_words(idle, view.observed.snapshot.member_count)] if idle else [])][:MOST]


def _of_history(view: View) -> list[str]:
    try:
        found = speeds(view.opened)
    except SnapshotError:
        return []
    if found is None:
        return []
    series = found.series
    return ALL.get((diagnosis, view.opened, series.time[-1]), partial(_sentences, view, series))


def _sentences(view: View, series) -> list[str]:
    return [diagnosis_words(one, series, view.observed.assignor, view.name_of) for one in diagnoses(now(series))]
