"""Messages that alert rules would have sent in a cluster's last week, tested in the background.
Also the messages that were sent about open findings.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import NamedTuple

import pyarrow.compute as pc

from evenkeel.dashboard.shell.cache import ALL, missing
from evenkeel.dashboard.shell.loading.episodes import open_findings
from evenkeel.dashboard.shell.loading.example import is_example, lake_of
from evenkeel.dashboard.shell.reader import reader
from evenkeel.data import clock
from evenkeel.data.alerts.backtest import Rings, Telling, by_rules
from evenkeel.data.alerts.ledger import failed_starts, sent_starts
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.store import table

WEEK = timedelta(days=7)
MOST_CELLS = 4_000_000
"""Highest number of cells (partitions times slots) that a page tests; this takes about ten
seconds of processor time.
"""

_SECONDS = 60
_KEPT_SECONDS = 300
"""A test is repeated only when its last slot is this much older."""

_TURN = threading.Lock()


class RuleWeek(NamedTuple):
    """The last week under one rule. `tellings`: the messages that the rule would have sent, in
    order of time. `against`: for comparison, the number of alerts that the rule `lag > N` would
    have sent.
    """

    rule: AlertRule
    tellings: tuple[Telling, ...]
    against: Rings

    @property
    def open_groups(self) -> set[str]:
        """Groups with an open alert under this rule."""
        return {each.group for each in self.tellings if each.until is None}


class Week(NamedTuple):
    """The seven days up to the last slot. `since`, `until`: seconds since 1970. `cells`: partitions
    times slots.

    `rules`: None until the rules are tested, or if the week is too large for a page.
    """

    since: float
    until: float
    cells: int
    rules: tuple[RuleWeek, ...] | None

    @property
    def is_too_large(self) -> bool:
        """Whether the week is too large to be tested by a page."""
        return self.cells > MOST_CELLS


def week(cluster: str, rules: Sequence[AlertRule], limit: int) -> Week | None:
    """Return the last week of the groups that the reader may see. None if there is no slot. The
    function does not wait for the test of the rules.

    `limit`: N of `lag > N`.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    lake = lake_of(cluster)
    instants = ALL.get((week, lake, cluster), partial(_slots, cluster), _SECONDS)
    if not instants.batches:
        return None
    until = float(instants.axis.time[-1])
    groups = _groups(cluster, instants)
    cells = sum(groups.values()) * len(instants.batches)
    shown = Week(until - WEEK.total_seconds(), until, cells, None)
    if shown.is_too_large:
        return shown
    ends = int(until // _KEPT_SECONDS)
    key = (week, lake, cluster, reader().scope, repr(rules), limit, ends)

    def test(is_asked: Callable[[], bool]) -> None:
        ALL.put(key, _tested(cluster, instants, list(groups), rules, limit))

    missing({(week, *key): test}, turn=_TURN)
    return shown._replace(rules=ALL.find(key))


def _slots(cluster: str) -> Instants:
    since = None if is_example(cluster) else clock.now() - WEEK
    return instants(lake_of(cluster), cluster, since)


def _groups(cluster: str, instants: Instants) -> Mapping[str, int]:
    """Return the partition count of each group in the last slot that the reader may see."""
    rows = table(lake_of(cluster), instants.batches[-1].batch, "GROUP_LOAD")
    counts = zip(
        rows["group_id"].to_pylist(),
        pc.fill_null(rows["partition_count"], 0).to_pylist(),
        strict=True,
    )
    who = reader()
    return {group: count for group, count in counts if group and who.sees(cluster, group)}


def _tested(
    cluster: str, instants: Instants, groups: Sequence[str], rules: Sequence[AlertRule], limit: int
) -> tuple[RuleWeek, ...]:
    stored, settings = (
        StoredSnapshots(lake_of(cluster), cluster, instants),
        configuration().findings,
    )
    tellings: dict[str, list[Telling]] = {rule.name: [] for rule in rules}
    rings = {rule.name: Rings() for rule in rules}
    for group, evidence in stored.evidence_of(groups) if groups else ():
        for answer in by_rules(rules, group, evidence, settings, cluster, limit):
            tellings[answer.rule] += answer.tellings
            rings[answer.rule] = rings[answer.rule].plus(answer.against)
    return tuple(
        RuleWeek(rule, tuple(sorted(tellings[rule.name], key=_place)), rings[rule.name])
        for rule in rules
    )


def _place(telling: Telling) -> tuple[float, str]:
    return telling.told, telling.id


class AlertedGroups(NamedTuple):
    """Groups with an open critical finding or warning.

    `sent`: the time of the message about a group, in seconds since 1970. `failed`: the reason why
    the message about a group was refused or given up.
    """

    groups: tuple[str, ...]
    sent: Mapping[str, float]
    failed: Mapping[str, str] = {}


def told(cluster: str) -> AlertedGroups:
    """Return the groups with an open critical finding or warning, and the messages about these
    groups.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    lake = lake_of(cluster)
    sent = ALL.get((told, lake, cluster), partial(sent_starts, lake, cluster), _SECONDS)
    failed = ALL.get(
        (failed_starts, lake, cluster), partial(failed_starts, lake, cluster), _SECONDS
    )
    needy = {each.group for each in open_findings(cluster) if each.is_shown and each.is_warning}
    groups = tuple(sorted(needy))
    return AlertedGroups(
        groups,
        *({group: of[group] for group in groups if group in of} for of in (sent, failed)),
    )
