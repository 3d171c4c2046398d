"""A reader that has gone away, such as `head`, changes no exit code of a condition."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evenkeel.data.lake.place import place_of
from tests.data.rebalances.test_command import RESTART
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_trouble

ROOT = Path(__file__).parents[3]

STOPPED = (
    "Consumer group 'g' has no active members.\n\n"
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    "g orders 0 0 35000 35000 - - -\n"
)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "stopped.txt").write_text(STOPPED)
    (folder / "server.log").write_bytes(RESTART)
    write_lake(
        place_of(folder / "lake"), plan_with_trouble(groups=1, partitions=8, members=4, days=0.25)
    )
    return folder


def exit_code(call, folder) -> int:
    """Run a command whose outputs nobody reads; `IN/` in the call is the folder of the inputs."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        arguments = [word.replace("IN/", f"{folder}/") for word in call.split()]
        command = [sys.executable, "-m", "evenkeel", *arguments]
        return subprocess.run(command, stdout=writer, stderr=writer, cwd=ROOT).returncode
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    "call",
    [
        "compare IN/stopped.txt --fail-if total_lag>0",
        "diagnose IN/stopped.txt --fail-if down>0",
        "readiness IN/stopped.txt --fail-if unknown>=0",
        "rebalances IN/server.log --fail-if rebalances_per_hour>3",
        (
            "history --lake IN/lake --group group-0000 --to 2026-11-02T06:00:00Z --fail-if"
            " verdict>=STALL"
        ),
    ],
)
def test_a_condition_that_holds_ends_with_1_though_nobody_reads(inputs, call):
    assert exit_code(call, inputs) == 1


def test_an_error_ends_with_2_though_nobody_reads(inputs):
    assert exit_code("best IN/nothing.txt", inputs) == 2


def test_a_command_without_a_condition_ends_with_0_though_nobody_reads(inputs):
    assert exit_code("compare IN/stopped.txt", inputs) == 0
