"""Shares: what is frozen of a page, and what an address of a share opens."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from assignors import ASSIGNORS
from dashboard.loading.cache.cache import ALL
from dashboard.loading.views import begun
from dashboard.view import Opened
from data.configuration import configuration
from data.scenarios.run.lines import hash_of, lines_of
from data.scenarios.run.result import Result, result_of
from data.scenarios.run.step_figures import Figures, figures_of_steps
from data.scenarios.run.told_result import told_result
from data.scenarios.scenario.decode_scenario import decode_scenario
from data.scenarios.scenario.of_group import scenario_of
from data.scenarios.scenario.scenario import Scenario, Step
from data.shares import Frozen, Listed, Made, shares
from data.shares.redaction import Row, preview

_KEPT_SECONDS = 600.0


class Freezable(NamedTuple):
    """A scenario, its answers and their lines, ready to be frozen."""

    scenario: Scenario
    result: Result
    lines: list[dict[str, Any]]

    @property
    def as_json(self) -> Mapping[str, Any]:
        return msgspec.to_builtins(self.scenario)


class OpenShare(NamedTuple):
    """A share that is open. `was`: its figures when it was frozen, where the answers of now differ; else None."""

    about: Listed
    scenario: Scenario
    head: Mapping[str, Any]
    result: Result
    figures: Figures
    was: Figures | None


def freezable(group: Opened, steps: Sequence[Step]) -> Freezable:
    """Return what a page shows of a group, with the answers of Evenkeel's own assignors.

    Raises
    ------
    SnapshotError
        When an edit names what is not there.
    """
    return ALL.get((freezable, group, msgspec.json.encode(list(steps))), lambda: _freezable(group, steps), _KEPT_SECONDS)


def _freezable(group: Opened, steps: Sequence[Step]) -> Freezable:
    own = begun(group).own
    names = [row.name for row in own.comparison.rows[1:] if row.name in ASSIGNORS]
    scenario = scenario_of(own.observed, steps, msgspec.structs.replace(group.settings, assignors=names))
    result = result_of(scenario)
    return Freezable(scenario, result, lines_of(result))


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
    return shares().make(Frozen(what.as_json, what.lines, title, keep, note, author, tuple(redact), forked_from), owner)


def names_in(what: Freezable, kinds: Sequence[str]) -> list[Row]:
    """Return every name that leaves, and what stands for it."""
    return preview(what.as_json, what.lines, kinds)


def open_share(share_id: str, secret: str | None) -> OpenShare:
    """Open a share; a redacted one tells what was computed on the true names.

    Raises
    ------
    NoShareError
        Where there is none of this id, or no longer.
    """
    about = shares().about(share_id, secret)
    return ALL.get((open_share, share_id), lambda: _opened(share_id), _KEPT_SECONDS)._replace(about=about)


def _opened(share_id: str) -> OpenShare:
    share = shares().open(share_id)
    scenario, head = decode_scenario(msgspec.json.encode(share.scenario)), share.result[0]
    if share.about.redacted:
        told = told_result(scenario, share.result)
        return OpenShare(share.about, scenario, head, told, figures_of_steps(told.steps), None)
    now = result_of(scenario)
    is_same = hash_of(now) == head.get("result_hash")
    was = None if is_same else figures_of_steps(told_result(scenario, share.result).steps)
    return OpenShare(share.about, scenario, head, now, figures_of_steps(now.steps), was)


def own_shares(owner: str | None) -> list[Listed]:
    """Return what this browser has shared, the youngest first."""
    return shares().listed(owner)


def delete_share(share_id: str, secret: str) -> None:
    """Delete a share of this browser."""
    shares().delete(share_id, secret)


def expiries() -> list[timedelta | None]:
    """Return the times after which a share may expire, None for never."""
    return configuration().shares.expiries


def usual_expiry() -> timedelta:
    """Return the time after which a share expires where its author chooses nothing."""
    return configuration().shares.keep
