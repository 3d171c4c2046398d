"""Back-test: what a rule would have told, slot by slot, by nothing later than each slot."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import Finding, findings_of, iso

SCHEMA = "evenkeel.episode/1"


class Rings(NamedTuple):
    """How often `lag > N` would have been told, and how often while an episode of a rule was
    open.
    """

    count: int
    inside: int


class Tested(NamedTuple):
    """One group under one rule: what it would have told, and `lag > N` if asked."""

    tellings: list["Telling"]
    against: Rings


class Telling(NamedTuple):
    """A finding as it was when it would have been told, and the slot that ended it."""

    finding: Finding
    until: float | None


def back_tested(
    rule: AlertRule,
    group: str,
    evidence: Evidence,
    settings: FindingSettings,
    cluster: str | None,
    limit: int | None,
) -> Tested:
    """Return what a rule would have told of a group; `limit`: that of `lag > N`."""
    ignored, mine = settings.ignored_of(group), rule.settings(settings)
    tellings = []
    for each in findings_of(evidence, group, mine, cluster):
        moment = each.episode.reported
        if moment is None or each.code in ignored:
            continue
        # Later slots may give it another name, more partitions or a cause.
        row = int(np.searchsorted(evidence.series.time, moment))
        then = [
            other
            for other in findings_of(evidence.until(row), group, mine, cluster)
            if other.id == each.id and other.is_open
        ]
        tellings += [
            Telling(other, each.episode.until)
            for other in then
            if other.is_shown and rule.asks_for(other.code, other.episode.severity)
        ]
    return Tested(tellings, Rings(0, 0) if limit is None else _rings(evidence, tellings, limit))


def _rings(evidence: Evidence, tellings: Sequence[Telling], limit: int) -> Rings:
    lag = evidence.series.lag
    is_over = np.where(lag != UNKNOWN_LAG, lag, 0).sum(axis=1) > limit
    begins = np.flatnonzero(is_over & ~np.concatenate([[False], is_over[:-1]]))
    inside = sum(
        any(
            each.finding.episode.seen <= moment and (each.until is None or moment < each.until)
            for each in tellings
        )
        for moment in evidence.series.time[begins].tolist()
    )
    return Rings(int(begins.size), inside)


def line(rule: AlertRule, telling: Telling) -> dict[str, Any]:
    """Return the object of one episode."""
    finding = telling.finding
    return {
        "schema": SCHEMA,
        "rule": rule.name,
        "id": finding.id,
        "code": finding.code.value,
        "seen": iso(finding.episode.seen),
        "told": iso(finding.episode.reported),
        "until": iso(telling.until),
        "text": finding.text,
    }
