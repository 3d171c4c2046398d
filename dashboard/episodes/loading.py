"""Open findings of all groups that a collector follows, from the last slots of the lake."""

import threading
from collections.abc import Callable

from evenkeel.dashboard.shell.cache import ALL, missing
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.shell.reader import reader
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.answer import Finding, findings_of
from evenkeel.data.episodes.stored import Stored
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import Place

SLOTS = 120
"""Three of the widest windows that a rule looks at."""

_TURN = threading.Lock()


def open_findings(cluster: str) -> list[Finding]:
    """Return the open findings of a cluster's groups that the reader may see, without waiting:
    those of the slots before while newer ones are judged.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    lake = lake_of(cluster)
    newest = ALL.get(
        (open_findings, "slots", lake, cluster), lambda: last_of(instants(lake, cluster), SLOTS)
    )
    if not newest.batches:
        return []
    last = (open_findings, lake, cluster)
    key = (*last, newest.batches[-1].batch)

    def judge(is_asked: Callable[[], bool]) -> None:
        ALL.put(last, _judged(lake, cluster, newest))

    missing({key: judge}, turn=_TURN)
    findings: list[Finding] = ALL.find(last) or []
    who = reader()
    return [each for each in findings if who.sees(cluster, each.group)]


def _judged(lake: Place, cluster: str, newest: Instants) -> list[Finding]:
    stored, settings = Stored(lake, cluster, newest), configuration().findings
    if not stored.groups:
        raise SnapshotError(f"{lake}: the last slots of {cluster} have no group")
    return [
        each
        for group, evidence in stored.evidence_of(())
        for each in findings_of(evidence, group, settings, cluster)
        if each.is_open and each.code not in settings.ignored_of(group)
    ]
