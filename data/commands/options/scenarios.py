"""A scenario as the input of a command; missing rates come from the group's history."""

import argparse
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from evenkeel.data.commands.options.lake import chosen_cluster
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.advance_rates import with_rates
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, is_scenario
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario
from evenkeel.data.sources.source import Readable
from evenkeel.data.text.formats import counted

if TYPE_CHECKING:
    from evenkeel.assignors.group.series import Series
    from evenkeel.data.group.budget import Budget
    from evenkeel.data.group.columns.observed import ObservedGroup
    from evenkeel.data.lake.place import Place

_LONGEST_START = 4096


def add_step(parser: argparse.ArgumentParser) -> None:
    """Declare the option that chooses a step."""
    parser.add_argument(
        "--step",
        metavar="K",
        type=int,
        help="the step of a scenario to compare; 0: the group as listed (default: the last step)",
    )


def chosen_step(scenario: Scenario | ApplicationScenario, step: int | None) -> int:
    """Return the number of the chosen step; SnapshotError if the scenario has no such step."""
    last = len(scenario.steps)
    if step is None:
        return last
    if not 0 <= step <= last:
        raise SnapshotError(
            f"--step {step}: the scenario has {counted(last, 'step')}, expected 0 to {last}"
        )
    return step


def scenario_in(inputs: Sequence[Readable]) -> Scenario | ApplicationScenario | None:
    """Return the scenario in a command's input; None if no input is a scenario.

    Raises
    ------
    SnapshotError
        If the scenario is invalid, or if there are other files too.
    """
    texts = [text for text in map(_scenario_text, inputs) if text is not None]
    if not texts:
        return None
    if len(inputs) > 1:
        raise SnapshotError(
            f"{len(inputs)} files, one of them a scenario, expected only a scenario"
        )
    return decode_any_scenario(texts[0])


def _scenario_text(file: Readable) -> bytes | None:
    text = b""
    if isinstance(file, tuple):
        text = file[1]
    elif isinstance(file, Path) and _begins_as_json(file):
        text = file.read_bytes()
    return text if text and is_scenario(text) else None


def _begins_as_json(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST_START).lstrip().startswith(b"{")
    except OSError:
        # The next reader of the file reports the error.
        return False


# Missing rates of a scenario, from the history of its group.


def with_history(scenario: Scenario, lake: "Place", cluster: str | None = None) -> Scenario:
    """Return the scenario with rates in each edit `advance`, which lets time pass.

    Missing rates come from the group's last snapshots up to `taken_at` of the scenario's group.

    Raises
    ------
    SnapshotError
        If the lake has no such snapshots, or the snapshots have no rate.
    """
    return with_rates(scenario, lambda: _series(scenario, lake, cluster))


def _series(scenario: Scenario, lake: "Place", cluster: str | None) -> "Series":
    group = scenario.group
    if group.group_id is None:
        raise SnapshotError(
            "$.group.group_id: missing, expected a group with a history, because a step of the"
            " scenario lacks rates"
        )
    series = last_series(group.group_id, group.taken_at, lake, cluster)
    if series is None:
        raise SnapshotError(
            f"a step lacks rates, and {lake} has no snapshot of group"
            f' "{group.group_id}"{_until(group.taken_at)}: expected in_rate and capacity in the'
            " edit"
        )
    return series


def last_series(
    group_id: str, until: datetime | None, lake: "Place", cluster: str | None
) -> "Series | None":
    """Return the last snapshots of a group up to the time `until`; None without a snapshot."""
    from evenkeel.data.lake.history.history import history_in
    from evenkeel.data.lake.history.instants import instants
    from evenkeel.data.lake.history.recent import SLOTS, last_of

    chosen = chosen_cluster(lake, cluster)
    snapshots = last_of(instants(lake, chosen, until=until, group_id=group_id), SLOTS)
    series = history_in(lake, group_id, snapshots, chosen).series
    return series if series.is_listed.any() else None


def _until(moment: datetime | None) -> str:
    return f" up to {moment:%Y-%m-%dT%H:%M:%SZ}" if moment else ""


# The group of a scenario's step.


def group_of_step(scenario: Scenario, step: int, budget: "Budget") -> "ObservedGroup":
    """Return the group after the edits of `step` and before the rebalance of `step`.

    Step 0: the group as listed. Later steps: the assignor in use chose the owners in the earlier
    steps.

    Raises
    ------
    SnapshotError
        If the group's assignor is unknown, or has no answer at an earlier step.
    """
    # Imported here, so that commands without a scenario start faster.
    from evenkeel.assignors import ASSIGNORS
    from evenkeel.assignors.protocol import serving
    from evenkeel.data.group.columns import observed_from_document
    from evenkeel.data.scenarios.leaders import in_use
    from evenkeel.data.scenarios.run.results import result_of

    listed = observed_from_document(scenario.group)
    if not step:
        return listed
    name = in_use(listed) or next(name for name in serving(listed.group_type, ASSIGNORS))
    answer = result_of(scenario, ASSIGNORS, [name], budget).steps[step][name]
    if not answer.rebalances:
        raise SnapshotError(f"--step {step}: {name} has no answer at this step, {answer.error}")
    return answer.rebalances[0].joined
