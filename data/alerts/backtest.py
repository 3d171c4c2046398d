"""Back-test: the messages that an alert rule would have sent about past slots.

The judgement of a slot uses no later slots.
"""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import numpy as np

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import GroupFindings, iso

SCHEMA = "evenkeel.episode/1"


class Rings(msgspec.Struct, frozen=True):
    """Number of alerts that a simple rule, "lag > limit", would have sent.

    `count`: all alerts. `inside`: alerts while a finding was open.
    """

    count: int = 0
    inside: int = 0

    def plus(self, other: "Rings") -> "Rings":
        """Return the sums of the counts in `self` and `other`."""
        return Rings(self.count + other.count, self.inside + other.inside)


class Telling(msgspec.Struct, frozen=True):
    """A message that a rule would have sent about a finding. Times are seconds since 1970.

    `seen`: first slot of the finding. `told`: slot in which the rule would have sent the message.
    `until`: end of the finding, None if open. `text`: the sentence in the message.
    """

    group: str
    id: str
    code: str
    seen: float
    told: float
    until: float | None
    text: str


class BackTest(msgspec.Struct, frozen=True):
    """The messages that one rule would have sent about one group.

    `against`: counts of alerts of a rule "lag > limit"; 0 without a limit. `lacks_slots`: number of
    slots that are needed to judge the group's progress; 0 if the group has enough slots.
    """

    rule: str
    tellings: list[Telling]
    against: Rings
    lacks_slots: int = 0


def by_rules(
    rules: Sequence[AlertRule],
    group: str,
    evidence: Evidence,
    settings: FindingSettings,
    cluster: str | None,
    limit: int | None,
) -> list[BackTest]:
    """Return the messages that each rule would have sent about a group.

    `limit`: records; the result also counts the alerts of a rule "lag > limit". None: no count.
    """
    mine = [rule for rule in rules if rule.takes(cluster, group)]
    findings = GroupFindings(evidence, group, settings, cluster)
    ignored = settings.ignored_of(group)
    return [
        _back_tested(rule, group, evidence, findings, rule.settings(settings), ignored, limit)
        for rule in mine
    ]


def _back_tested(
    rule: AlertRule,
    group: str,
    evidence: Evidence,
    findings: GroupFindings,
    settings: FindingSettings,
    ignored: Collection[Code],
    limit: int | None,
) -> BackTest:
    tellings = []
    for each in findings.until(settings):
        moment = each.episode.reported
        if moment is None or each.code in ignored:
            continue
            # Later slots may change the finding's id, its partitions or its cause.
        row = int(np.searchsorted(evidence.series.time, moment))
        then = [
            other
            for other in findings.until(settings, row)
            if other.id == each.id and other.is_open
        ]
        tellings += [
            Telling(
                group,
                other.id,
                other.code.value,
                other.episode.seen,
                moment,
                each.episode.until,
                other.text,
            )
            for other in then
            if other.is_shown and rule.asks_for(other.code, other.episode.severity)
        ]
    against = Rings() if limit is None else _rings(evidence, tellings, limit)
    return BackTest(rule.name, tellings, against, evidence.lacks_slots)


def _rings(evidence: Evidence, tellings: Sequence[Telling], limit: int) -> Rings:
    lag = evidence.series.lag
    is_over = np.where(lag != UNKNOWN_LAG, lag, 0).sum(axis=1) > limit
    begins = np.flatnonzero(is_over & ~np.concatenate([[False], is_over[:-1]]))
    inside = sum(
        any(
            each.seen <= moment and (each.until is None or moment < each.until) for each in tellings
        )
        for moment in evidence.series.time[begins].tolist()
    )
    return Rings(int(begins.size), inside)


def line(rule: str, telling: Telling) -> dict[str, Any]:
    """Return one message of a rule as an object of the JSON output."""
    moments = {name: iso(getattr(telling, name)) for name in ("seen", "told", "until")}
    head = {"schema": SCHEMA, "rule": rule, "id": telling.id, "code": telling.code}
    return {**head, **moments, "text": telling.text}
