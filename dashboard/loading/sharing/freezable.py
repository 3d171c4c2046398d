"""What can be frozen of a page: a scenario with every answer, of a group or of an application."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from evenkeel.assignors import ASSIGNORS, TASK_ASSIGNORS
from evenkeel.assignors.explain.advice import GAIN
from evenkeel.dashboard.loading import apart
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.clusters import cluster_of
from evenkeel.dashboard.loading.history.speeds import Speeds, speeds
from evenkeel.dashboard.loading.scenarios.applications import application
from evenkeel.dashboard.loading.views import begun
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.run.results import application_result
from evenkeel.data.scenarios.run.step_drains import StepDrains, drains_of, with_current_drain
from evenkeel.data.scenarios.run.walk import Result, lines_of
from evenkeel.data.scenarios.scenario.scenario import FORMAT, ApplicationScenario, ApplicationSettings, Scenario, Step, scenario_of
from evenkeel.data.shares import Frozen, Made, shares
from evenkeel.data.shares.redaction import Row, preview

KEPT_SECONDS = 600.0


class Freezable(NamedTuple):
    """A scenario, its answers and their lines, ready to be frozen; `result`: None of an application.

    `source`: where it was read. `gain`: the part of 1 from which on a switch of the group is worth it.
    """

    scenario: Scenario | ApplicationScenario
    lines: list[dict[str, Any]]
    result: Result | None = None
    source: str = ""
    gain: float = GAIN

    @property
    def as_json(self) -> Mapping[str, Any]:
        return msgspec.to_builtins(self.scenario)


def freezable(group: Opened, steps: Sequence[Step], gain: float) -> Freezable:
    """Return what a page shows of a group, with the answers of Evenkeel's own assignors; `gain`: the one that is chosen.

    Raises
    ------
    SnapshotError
        When an edit names what is not there.
    """
    key = (freezable, group, msgspec.json.encode(list(steps)))
    return ALL.get(key, lambda: _freezable(group, steps), KEPT_SECONDS)._replace(gain=gain)


def _freezable(group: Opened, steps: Sequence[Step]) -> Freezable:
    own = begun(group).own
    names = [row.name for row in own.comparison.rows[1:] if row.name in ASSIGNORS]
    scenario = scenario_of(own.observed, steps, msgspec.structs.replace(group.settings, assignors=names))
    result, found = apart.result(scenario), _speeds(group)
    if found is None:
        return Freezable(scenario, lines_of(result), result, _source(group))
    drains = StepDrains(own.observed, *found)
    result = replace(result, drains=drains_of(result.steps, drains))
    return Freezable(scenario, with_current_drain(lines_of(result), own.observed, drains), result, _source(group))


def _source(group: Opened) -> str:
    cluster = cluster_of(group)
    return f"the worked example {group.slug}" if group.slug else f"the cluster {cluster}" if cluster else "an uploaded listing"


def _speeds(group: Opened) -> Speeds | None:
    """Return the speeds of the group; None where the lake cannot be read: the rest can be shared all the same."""
    with suppress(SnapshotError):
        return speeds(group)


def freezable_application(opened: Opened, steps: Sequence[Step]) -> Freezable:
    """Return what Streams shows of an application, with the answers of all task assignors; raises as `freezable`."""
    key = (freezable_application, opened, msgspec.json.encode(list(steps)))
    return ALL.get(key, lambda: _freezable_application(opened, steps), KEPT_SECONDS)


def _freezable_application(opened: Opened, steps: Sequence[Step]) -> Freezable:
    settings = ApplicationSettings(assignors=list(TASK_ASSIGNORS))
    scenario = ApplicationScenario(FORMAT, application(opened).document, settings=settings, steps=list(steps))
    return Freezable(scenario, lines_of(application_result(scenario, budget=configuration().budget)), source=_source(opened))


def names_in(what: Freezable, kinds: Sequence[str]) -> list[Row]:
    """Return every name that leaves, and what stands for it."""
    return preview(what.as_json, what.lines, kinds)


def freeze(
    what: Freezable,
    *,
    title: str,
    note: str,
    author: str,
    keep: timedelta | None,
    redact: Sequence[str],
    owner: str | None,
    forked_from: str | None,
) -> Made:
    """Store a share; it is on disk when this returns.

    Raises
    ------
    SnapshotError
        Where it breaks a limit, or a text holds a name that is to be redacted.
    """
    kept = {"source": what.source} | ({} if what.result is None else {"gain": what.gain})
    lines = [what.lines[0] | kept, *what.lines[1:]]
    return shares().make(Frozen(what.as_json, lines, title, keep, note, author, tuple(redact), forked_from), owner)


def expiries() -> list[timedelta | None]:
    """Return the times after which a share may expire, None for never."""
    return configuration().shares.expiries


def usual_expiry() -> timedelta:
    """Return the time after which a share expires where its author chooses nothing."""
    return configuration().shares.keep
