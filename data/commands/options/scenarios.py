"""A scenario in place of a listing: a command takes it wherever it takes a file."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, is_scenario
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario
from evenkeel.data.sources.inputs import Readable
from evenkeel.data.words.formats import counted

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
