"""A scenario in, the lines of `evenkeel replay` out."""

from collections.abc import Mapping

import msgspec

from evenkeel.data.budget import Budget
from evenkeel.data.configuration.plugins import PluginSettings
from evenkeel.data.plugin.available import available
from evenkeel.data.scenarios.advice import with_advice
from evenkeel.data.scenarios.run.results import application_result, require_allowed, result_of
from evenkeel.data.scenarios.run.results import require_application_allowed as require_allowed_of_application
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario


def replayed(text: bytes, plugins: Mapping[str, PluginSettings], budget: Budget, gain: float) -> bytes:
    """Return the lines as one JSON list.

    Raises
    ------
    SnapshotError
        When the scenario breaks the contract, asks for more than the budget allows, or an edit names what is not there.
    """
    scenario = decode_any_scenario(text)
    if isinstance(scenario, ApplicationScenario):
        return msgspec.json.encode(lines_of(application_result(scenario, budget=budget)))
    result = result_of(scenario, available(plugins), budget=budget)
    return msgspec.json.encode(with_advice(lines_of(result), result, gain))


def require_allowed_text(text: bytes, plugins: Mapping[str, PluginSettings], budget: Budget) -> None:
    """Refuse what `replayed` would refuse before it makes anything of the scenario's size."""
    scenario = decode_any_scenario(text)
    if isinstance(scenario, ApplicationScenario):
        require_allowed_of_application(scenario, budget=budget)
    else:
        require_allowed(scenario, available(plugins), budget=budget)
