"""Open findings and members of all groups that a collector follows, from the last slots of the
lake.
"""

import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evenkeel.dashboard.episodes.members import MemberLoad, member_loads
from evenkeel.dashboard.shell.cache import ALL, missing
from evenkeel.dashboard.shell.reader import reader
from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.answer import Finding, findings_of
from evenkeel.data.episodes.silent import Silent, silent
from evenkeel.data.episodes.stored import Stored
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import Place

SLOTS = 120
"""Three of the widest windows that a rule looks at."""

_SECONDS = 60
_TURN = threading.Lock()


class Judged(NamedTuple):
    """Open findings, and what members have if gauges show them."""

    findings: tuple[Finding, ...] = ()
    members: tuple[MemberLoad, ...] = ()


def open_findings(cluster: str) -> list[Finding]:
    """Return the open findings of a cluster's groups that the reader may see, without waiting:
    those of the slots before while newer ones are judged.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    who = reader()
    return [each for each in judged(cluster).findings if who.sees(cluster, each.group)]


def open_members(cluster: str) -> list[MemberLoad]:
    """Return the members of a cluster's groups in the same way, none if no gauge shows them."""
    who = reader()
    return [each for each in judged(cluster).members if who.sees(cluster, each.group)]


def silent_cluster(cluster: str) -> Silent | None:
    """Return a cluster that the reader may see as silent, if three of its slots are missing."""
    newest = _newest(cluster) if reader().sees_some(cluster) else None
    if newest is None or newest.axis.time.size < 2:
        return None
    step = float(np.median(np.diff(newest.axis.time)))
    return silent(cluster, cluster, float(newest.axis.time[-1]), step, clock.seconds())


def _newest(cluster: str) -> Instants:
    lake = configuration().lake
    return ALL.get(
        (_newest, lake, cluster), lambda: last_of(instants(lake, cluster), SLOTS), _SECONDS
    )


def judged(cluster: str) -> Judged:
    """Return what the last slots say of every group, whoever asks."""
    lake, newest = configuration().lake, _newest(cluster)
    if not newest.batches:
        return Judged()
    last = (open_findings, lake, cluster)
    key = (*last, newest.batches[-1].batch)

    def judge(is_asked: Callable[[], bool]) -> None:
        ALL.put(last, _judged(lake, cluster, newest))

    missing({key: judge}, turn=_TURN)
    return ALL.find(last) or Judged()


def _judged(lake: Place, cluster: str, newest: Instants) -> Judged:
    stored, settings = Stored(lake, cluster, newest), configuration().findings
    if not stored.groups:
        raise SnapshotError(f"{lake}: the last slots of {cluster} have no group")
    findings: list[Finding] = []
    members: list[MemberLoad] = []
    for group, evidence in stored.evidence_of(()):
        ignored = settings.ignored_of(group)
        findings += [
            each
            for each in findings_of(evidence, group, settings, cluster)
            if each.is_open and each.code not in ignored
        ]
        if configuration().member_series:
            members += member_loads(cluster, group, evidence)
    return Judged(tuple(findings), tuple(members))
