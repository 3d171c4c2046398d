"""Findings from a group's history, converted to the findings of a diagnosis."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.finding import Code, Finding
from evenkeel.assignors.group.lag import known_lag
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.data.diagnosis.words_over_time import OVER_TIME
from evenkeel.data.episodes.answer import Finding as Timed
from evenkeel.data.group.columns.observed import ObservedGroup


def on_rows(findings: Iterable[Timed], observed: ObservedGroup) -> tuple[Finding, ...]:
    """Return the open findings, worst first, except findings that are folded into another finding.

    Names of partitions and members are replaced by their row numbers in `observed`.
    """
    open_ones = [each for each in findings if each.is_open and each.is_shown]
    if not open_ones:
        return ()
    group = observed.snapshot
    row_of = {tp_name(group, tp): tp for tp in range(group.tp_count)}
    member_of = _members(observed)
    lag = np.maximum(known_lag(group), 0)
    rows = (_on_rows(each, row_of, member_of, lag) for each in open_ones)
    return tuple(_with_owners(each, observed) for each in rows)


def _on_rows(
    timed: Timed, row_of: dict[str, int], member_of: dict[str, int], lag: np.ndarray
) -> Finding:
    episode, subject = timed.episode, timed.subject
    tps = tuple(row_of[name] for name in subject.partitions if name in row_of)
    records = int(lag[list(tps)].sum()) if tps else None
    figures = {"lag": records, "partitions": len(tps), **episode.figures}
    if "lag" in episode.figures:
        figures["lag"] = records
    return Finding(
        code=timed.code,
        severity=episode.severity,
        members=tuple(member_of[name] for name in subject.members if name in member_of),
        tps=tps,
        lag=records,
        figures=figures,
        detail={OVER_TIME: True, "because": subject.because, "retention": subject.retention},
        since=episode.since,
        is_least=episode.is_least,
        assumed=episode.assumed,
    )


_OWNERS = "owners"


def _with_owners(finding: Finding, observed: ObservedGroup) -> Finding:
    """Add owners to a `stuck` finding without owners, from the latest reading.

    If the finding contains all partitions of these owners, it becomes `stalled`.
    """
    if finding.code != Code.STUCK or _OWNERS not in finding.assumed or observed.current is None:
        return finding
    owner, tps = observed.current.owner, list(finding.tps)
    members = np.unique(owner[tps])
    if not tps or UNASSIGNED in members:
        return finding
    assumed = tuple(each for each in finding.assumed if each != _OWNERS)
    if np.count_nonzero(np.isin(owner, members)) > len(tps):
        return replace(finding, assumed=assumed)
    return replace(finding, code=Code.STALLED, members=tuple(members.tolist()), assumed=assumed)


def _members(observed: ObservedGroup) -> dict[str, int]:
    """Return each member's row number by member id, instance id and client id.

    A client id that several members share is left out.
    """
    group = observed.snapshot
    rows: dict[str, int] = {}
    shared = set()
    for row, client in enumerate(observed.client_id):
        if client in rows:
            shared.add(client)
        elif client:
            rows[client] = row
    for client in shared:
        del rows[client]
    for names in (group.member_id, group.instance_id):
        rows |= {name: row for row, name in enumerate(names) if name}
    return rows
