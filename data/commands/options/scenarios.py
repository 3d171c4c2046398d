"""A scenario in place of a listing, and the rates that it leaves to the history of its group."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evenkeel.data.commands.options.lake import chosen_cluster
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.history.advance_rates import with_rates
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, is_scenario
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario
from evenkeel.data.sources.inputs import Readable
from evenkeel.data.words.formats import counted

if TYPE_CHECKING:
    from evenkeel.assignors.history.series import Series
    from evenkeel.data.lake.place import Place

_LONGEST_START = 4096


def add_step(parser: argparse.ArgumentParser) -> None:
    """Declare which step of a scenario is compared."""
    parser.add_argument("--step", metavar="K", type=int, help="of a scenario: the step to compare, 0 as listed (default: the last)")


def chosen_step(scenario: Scenario | ApplicationScenario, step: int | None) -> int:
    """Return the step to compare; SnapshotError for one that the scenario does not have."""
    last = len(scenario.steps)
    if step is None:
        return last
    if not 0 <= step <= last:
        raise SnapshotError(f"--step {step}: the scenario has {counted(last, 'step')}, expected 0 to {last}")
    return step


def scenario_in(inputs: Sequence[Readable]) -> Scenario | ApplicationScenario | None:
    """Return the scenario that a command was given, None where it was given other files.

    Raises
    ------
    SnapshotError
        When it breaks the contract, or stands beside other files.
    """
    found = [text for text in map(_scenario_text, inputs) if text is not None]
    if not found:
        return None
    if len(inputs) > 1:
        raise SnapshotError(f"{len(inputs)} files, one of them a scenario, expected a scenario alone")
    return decode_any_scenario(found[0])


def _scenario_text(one: Readable) -> bytes | None:
    text = one.read_bytes() if isinstance(one, Path) and _begins_as_json(one) else one[1] if isinstance(one, tuple) else b""
    return text if is_scenario(text) else None


def _begins_as_json(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST_START).lstrip().startswith(b"{")
    except OSError:
        # Whoever reads the file next says why it cannot be read.
        return False


# Rates that a scenario leaves to the history of its group.


def with_history(scenario: Scenario, lake: "Place", cluster: str | None = None) -> Scenario:
    """Return a scenario in which every `advance` has rates: missing ones come from the last snapshots up to the scenario's moment.

    Raises
    ------
    SnapshotError
        When the lake has no such snapshots, or they do not tell a rate.
    """
    return with_rates(scenario, lambda: _series(scenario, lake, cluster))


def _series(scenario: Scenario, lake: "Place", cluster: str | None) -> "Series":
    from evenkeel.data.lake.history.history import history_in
    from evenkeel.data.lake.history.instants import instants
    from evenkeel.data.lake.history.recent import SLOTS, last_of

    group = scenario.group
    if group.group_id is None:
        raise SnapshotError("$.group.group_id: missing, expected the group whose history has the rates that a step of the scenario lacks")
    chosen = chosen_cluster(lake, cluster)
    found = last_of(instants(lake, chosen, until=group.taken_at, group_id=group.group_id), SLOTS)
    series = history_in(lake, group.group_id, found, chosen).series
    if not series.is_listed.any():
        until = f" up to {group.taken_at:%Y-%m-%dT%H:%M:%SZ}" if group.taken_at else ""
        raise SnapshotError(
            f'a step lacks rates, and {lake} has no snapshot of group "{group.group_id}"{until}: expected in_rate and capacity in the edit'
        )
    return series
