"""From a scenario to the lines of `evenkeel replay`."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from evenkeel.data.commands.options.scenarios import with_history
from evenkeel.data.compare.advice import with_advice
from evenkeel.data.configuration import Configuration
from evenkeel.data.configuration.findings import IgnoreRule
from evenkeel.data.configuration.plugin import available
from evenkeel.data.configuration.settings import PluginSettings
from evenkeel.data.diagnosis.answer import diagnosed_start
from evenkeel.data.group.budget import Budget
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.run.results import (
    GroupResult,
    application_result,
    require_allowed,
    require_application_allowed,
    result_of,
)
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario


def replayed(
    text: bytes, plugins: Mapping[str, PluginSettings], budget: Budget, gain: float
) -> bytes:
    """Return the lines that `evenkeel replay` writes for a scenario, as one JSON list.

    Raises
    ------
    SnapshotError
        If the scenario is malformed or exceeds the budget, or if an edit names a missing thing.
    """
    scenario = decode_any_scenario(text)
    if isinstance(scenario, ApplicationScenario):
        return msgspec.json.encode(lines_of(application_result(scenario, budget=budget)))
    result = result_of(scenario, available(plugins), budget=budget)
    return msgspec.json.encode(_with_advice(result, gain))


def replay_lines(
    scenario: Scenario | ApplicationScenario,
    wanted: Sequence[str] | None,
    configuration: Configuration,
    lake: Place,
    cluster: str | None = None,
) -> list[dict[str, Any]]:
    """Return the lines that `evenkeel replay` writes.

    If a step has no rates, its rates come from the history in the lake. The first line then
    contains the steps with these rates.
    """
    if isinstance(scenario, ApplicationScenario):
        return lines_of(application_result(scenario, wanted, configuration.command_line))
    whole = with_history(scenario, lake, cluster)
    result = result_of(whole, available(configuration.plugins), wanted, configuration.command_line)
    head, *lines = _with_advice(result, configuration.gain, configuration.findings.ignore)
    return [
        head if whole is scenario else head | {"steps": msgspec.to_builtins(whole.steps)},
        *lines,
    ]


def _with_advice(
    result: GroupResult, gain: float, ignore: tuple[IgnoreRule, ...] = ()
) -> list[dict[str, Any]]:
    diagnosis = diagnosed_start(result, gain, ignore).document()
    return with_advice(lines_of(result), result, diagnosis, gain)


def require_allowed_text(
    text: bytes, plugins: Mapping[str, PluginSettings], budget: Budget
) -> None:
    """Raise the errors that `replayed` would raise for this scenario. This check needs no large
    array.
    """
    scenario = decode_any_scenario(text)
    if isinstance(scenario, ApplicationScenario):
        require_application_allowed(scenario, budget=budget)
    else:
        require_allowed(scenario, available(plugins), budget=budget)
