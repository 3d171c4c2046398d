"""What an address of a share opens: its scenario, its figures of now, and those of then where they differ."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from evenkeel.dashboard.loading import apart
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.sharing.freezable import KEPT_SECONDS
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.advice import with_advice
from evenkeel.data.scenarios.run.results import application_result
from evenkeel.data.scenarios.run.step_figures import Figures, figures_of_result
from evenkeel.data.scenarios.run.stored_result import stored_result, with_stored_drains
from evenkeel.data.scenarios.run.walk import Result, hash_of, lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario
from evenkeel.data.scenarios.size import require_scenario
from evenkeel.data.shares import Listed, Share, shares

Line = Mapping[str, Any]
TaskLines = Sequence[Mapping[str, Line]]
"""Lines of a replay by assignor for each step, the application as listed first."""


class OpenShare(NamedTuple):
    """A share of a group that is open. `was`: its figures when it was frozen, where the answers of now differ; else None."""

    about: Listed
    scenario: Scenario
    head: Line
    result: Result
    figures: Figures
    was: Figures | None

    @property
    def gain(self) -> float:
        """From which gain on a switch is worth it, a part of 1: as it was chosen, in an older share as it is configured."""
        return _gain(self.head)


class OpenApplication(NamedTuple):
    """A share of an application that is open. `was`: its lines when it was frozen, where the answers of now differ; else None."""

    about: Listed
    scenario: ApplicationScenario
    head: Line
    lines: TaskLines
    was: TaskLines | None


def open_share(share_id: str, secret: str | None) -> OpenShare | OpenApplication:
    """Open a share; a redacted one tells what was computed on the true names.

    Raises
    ------
    NoShareError
        Where there is none of this id, or no longer.
    """
    about = shares().about(share_id, secret)
    return ALL.get((open_share, share_id), lambda: _opened(share_id), KEPT_SECONDS)._replace(about=about)


def advised_lines(share: Share) -> list[Line]:
    """Return the lines of a share with the advice of each step, as they tell it.

    As they are: those of an application, and of a scenario that this Evenkeel no longer reads.
    """
    return ALL.get((advised_lines, share.about.share_id), lambda: _advised_lines(share), KEPT_SECONDS)


def _advised_lines(share: Share) -> list[Line]:
    try:
        scenario = _scenario(share)
        if isinstance(scenario, ApplicationScenario):
            return share.result
        return with_advice(share.result, stored_result(scenario, share.result), _gain(share.result[0]))
    # LookupError: an older Evenkeel wrote lines with fewer keys.
    except (SnapshotError, LookupError):
        return share.result


def _gain(head: Line) -> float:
    return head.get("gain") or configuration().gain


def _opened(share_id: str) -> OpenShare | OpenApplication:
    share = shares().open(share_id)
    scenario = _scenario(share)
    return _application(share, scenario) if isinstance(scenario, ApplicationScenario) else _group(share, scenario)


def _scenario(share: Share) -> Scenario | ApplicationScenario:
    """Return the scenario of a share; refuse one that is larger than the budget of now."""
    scenario = decode_any_scenario(msgspec.json.encode(share.scenario))
    assignors = {line["assignor"] for line in share.result[1:]}
    require_scenario(configuration().budget, scenario.group, scenario.steps, len(assignors))
    return scenario


def _group(share: Share, scenario: Scenario) -> OpenShare:
    head = share.result[0]
    if share.about.redacted:
        told = stored_result(scenario, share.result)
        return OpenShare(share.about, scenario, head, told, figures_of_result(told), None)
    # The history of a group is not asked: whoever opens a share may not see it, and it has grown.
    now = with_stored_drains(apart.result(scenario), share.result)
    is_same = hash_of(now) == head.get("result_hash")
    was = None if is_same else figures_of_result(stored_result(scenario, share.result))
    return OpenShare(share.about, scenario, head, now, figures_of_result(now), was)


def _application(share: Share, scenario: ApplicationScenario) -> OpenApplication:
    head, *told = share.result
    if share.about.redacted:
        return OpenApplication(share.about, scenario, head, _by_step(told), None)
    head_now, *now = lines_of(application_result(scenario))
    is_same = head_now["result_hash"] == head.get("result_hash")
    return OpenApplication(share.about, scenario, head, _by_step(now), None if is_same else _by_step(told))


def _by_step(lines: Sequence[Line]) -> TaskLines:
    steps: dict[int, dict[str, Line]] = {}
    for line in lines:
        steps.setdefault(line["step"], {})[line["assignor"]] = line
    return [steps[number] for number in sorted(steps)]
