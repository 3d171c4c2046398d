"""What other assignors would have done, asked behind the page."""

import threading

from evenkeel.assignors.history.replay import Regret
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.cache.later import missing
from evenkeel.dashboard.loading.history.readings import readings
from evenkeel.dashboard.loading.history.timelines import Timeline
from evenkeel.dashboard.view import Opened
from evenkeel.data.scenarios.history import replayed_history as regrets

_TURN = threading.Lock()


def regret_of(group: Opened, shown: Timeline) -> Regret | None:
    """Return the replay of a range that is shown, None while it is not done; for a small group it is done at once.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    read = readings(group)
    key = (regret_of, read.lake, read.cluster, group.group_id, shown.sample.history.batch)
    is_behind = missing({key: lambda is_asked: ALL.put(key, regrets.regret(read.lake, shown.sample))}, turn=_TURN)
    found = ALL.find(key)
    if found is None and not is_behind:
        # The cache has dropped it for something else.
        found = regrets.regret(read.lake, shown.sample)
    return found
