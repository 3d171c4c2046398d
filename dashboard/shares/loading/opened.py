"""An open share and the answers in it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from evenkeel.dashboard.overview.loading import Overview
from evenkeel.dashboard.shares.loading.frozen import bands
from evenkeel.dashboard.shares.loading.owners import owner, short_id
from evenkeel.dashboard.shell import apart
from evenkeel.dashboard.shell.cache import ALL, SHARED_SECONDS
from evenkeel.dashboard.shell.reader import (
    EVERYBODY,
    audited_once,
    reader,
)
from evenkeel.data.compare.advice import with_advice
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.settings import AUDIENCES, OF_GROUP
from evenkeel.data.diagnosis.answer import Answer, diagnosed_start
from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.frozen import FORMAT as REBALANCES_FORMAT
from evenkeel.data.rebalances.frozen import thawed
from evenkeel.data.rebalances.store import StoredRebalances
from evenkeel.data.scenarios.run.results import GroupResult, application_result
from evenkeel.data.scenarios.run.step_figures import Figures, figures_of_result
from evenkeel.data.scenarios.run.stored_result import stored_result, with_stored_drains
from evenkeel.data.scenarios.run.walk import hash_of, lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.scenarios.scenario.scenario import (
    ApplicationScenario,
    Scenario,
)
from evenkeel.data.scenarios.size import require_scenario
from evenkeel.data.shares.share import Share, ShareListing
from evenkeel.data.shares.shares import no_share
from evenkeel.data.shares.store import shares

# The result of opening a share: its scenario, today's figures, and the frozen figures if they
# differ.


Line = Mapping[str, Any]
TaskLines = Sequence[Mapping[str, Line]]
"""Lines of a replay by assignor, for the application as listed and then for each step."""


class OpenShare(NamedTuple):
    """An open share of a group. `was`: the frozen figures, None if today's figures are equal."""

    about: ShareListing
    scenario: Scenario
    head: Line
    result: GroupResult
    figures: Figures
    was: Figures | None

    @property
    def gain(self) -> float:
        """The least gain for a switch, as a fraction. The author of the share chose it.

        A share of an older release has no gain: the configured gain is used.
        """
        return _gain(self.head)


class OpenApplication(NamedTuple):
    """An open share of an application. `was`: the frozen lines, None if today's lines are equal."""

    about: ShareListing
    scenario: ApplicationScenario
    head: Line
    lines: TaskLines
    was: TaskLines | None


class OpenRebalances(NamedTuple):
    """An open share of a group's rebalances, which are never computed again."""

    about: ShareListing
    group: str
    head: Line
    stored: StoredRebalances


AnyOpen = OpenShare | OpenApplication | OpenRebalances


def open_share(share_id: str, secret: str | None) -> AnyOpen:
    """Open a share. The answers of a share with stand-ins are not computed again.

    Raises
    ------
    NoShareError
        If no share has this id, or the share has expired or was deleted.
    """
    about = _for_reader(shares().about(share_id, secret))
    return ALL.get((open_share, share_id), lambda: _opened(share_id), SHARED_SECONDS)._replace(
        about=about
    )


def open_rebalances(share_id: str) -> StoredRebalances | None:
    """Return the rebalances in a share, None if the share has no rebalances.

    Raises the same errors as `open_share`.
    """
    share = open_share(share_id, owner())
    return share.stored if isinstance(share, OpenRebalances) else None


def stored_share(share_id: str, secret: str | None) -> Share:
    """Return a share as it is stored. Raises the same errors as `open_share`."""
    _for_reader(shares().about(share_id, secret))
    return shares().open(share_id)


def _for_reader(about: ShareListing) -> ShareListing:
    """Raise an error if the reader may not open the share: its author chose another audience.

    The error is the same as for an id without a share.
    """
    who = reader()
    is_for = {
        None: True,
        AUDIENCES[0]: True,
        "login": who.is_person,
        OF_GROUP: who.is_known and who.sees(about.cluster, about.group_id),
    }
    if (
        who is EVERYBODY
        or about.is_own
        or is_for.get(about.audience, False)
        or who.grants.covers_everything("admin")
    ):
        audited_once("share opened", what=short_id(about.share_id), group=about.group_id)
        return about
    audited_once(
        "refusal", what=short_id(about.share_id), why="the share is not open to this reader"
    )
    raise no_share()


def advised_lines(share: Share) -> Sequence[Line]:
    """Return the lines of a share, with the advice for each step.

    For an application, or a scenario that this release cannot read, the lines are unchanged.
    """
    return ALL.get(
        (advised_lines, share.about.share_id), lambda: _advised_lines(share), SHARED_SECONDS
    )


def _advised_lines(share: Share) -> Sequence[Line]:
    try:
        scenario = _scenario(share)
        if isinstance(scenario, ApplicationScenario):
            return share.result
        result, gain = stored_result(scenario, share.result), _gain(share.result[0])
        return with_advice(share.result, result, diagnosis_of(share.result[0], result), gain)
    # LookupError: lines from an older Evenkeel have fewer keys.
    except (SnapshotError, LookupError):
        return share.result


def diagnosis_of(head: Line, result: GroupResult) -> Mapping[str, Any]:
    """Return the frozen diagnosis. An old share has none: its group is diagnosed now."""
    return head.get("diagnosis") or _diagnosed(head, result).document()


def bands_of(head: Line, result: GroupResult) -> Mapping[str, Any]:
    """Return the frozen contents of Overview. An old share has none: they are computed from its
    group.
    """
    return head.get("overview") or bands(Overview(_diagnosed(head, result)))


def _diagnosed(head: Line, result: GroupResult) -> Answer:
    return diagnosed_start(result, _gain(head))


def _gain(head: Line) -> float:
    return head.get("gain") or configuration().gain


def _opened(share_id: str) -> AnyOpen:
    share = shares().open(share_id)
    if share.scenario["format"] == REBALANCES_FORMAT:
        return OpenRebalances(
            share.about,
            share.scenario["group_id"],
            share.result[0],
            thawed(share.scenario, share.result),
        )
    scenario = _scenario(share)
    return (
        _application(share, scenario)
        if isinstance(scenario, ApplicationScenario)
        else _group(share, scenario)
    )


def _scenario(share: Share) -> Scenario | ApplicationScenario:
    """Return the scenario of a share; raise an error if it exceeds the configured budget."""
    scenario = decode_any_scenario(msgspec.json.encode(share.scenario))
    assignors = {line["assignor"] for line in share.result[1:]}
    require_scenario(configuration().budget, scenario.group, scenario.steps, len(assignors))
    return scenario


def _group(share: Share, scenario: Scenario) -> OpenShare:
    head = share.result[0]
    if share.about.redacted:
        stored = stored_result(scenario, share.result)
        return OpenShare(share.about, scenario, head, stored, figures_of_result(stored), None)
    # The group's history is not read: a share's reader may not see it, and it has grown since.
    now = with_stored_drains(apart.result(scenario), share.result)
    is_same = hash_of(now) == head.get("result_hash")
    was = None if is_same else figures_of_result(stored_result(scenario, share.result))
    return OpenShare(share.about, scenario, head, now, figures_of_result(now), was)


def _application(share: Share, scenario: ApplicationScenario) -> OpenApplication:
    head, *answers = share.result
    if share.about.redacted:
        return OpenApplication(share.about, scenario, head, _by_step(answers), None)
    head_now, *now = lines_of(application_result(scenario))
    is_same = head_now["result_hash"] == head.get("result_hash")
    return OpenApplication(
        share.about, scenario, head, _by_step(now), None if is_same else _by_step(answers)
    )


def _by_step(lines: Sequence[Line]) -> TaskLines:
    steps: dict[int, dict[str, Line]] = {}
    for line in lines:
        steps.setdefault(line["step"], {})[line["assignor"]] = line
    return [steps[number] for number in sorted(steps)]
