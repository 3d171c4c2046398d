"""The jar without a broker: whatever its own code, the broker's objects or its file do, it returns
an answer that is whole, and never raises.
"""

import os
import subprocess
from pathlib import Path

import pytest

from evenkeel.data.configuration.java import java_home
from evenkeel.data.configuration.plugin.assignor import kafka_jars
from tests.judge.building import BROKER_SOURCES, classes_of

OUTCOMES = {
    "IllegalStateException once": "whole",
    "IllegalStateException from then on": "returned",
    "StackOverflowError once": "whole",
    "StackOverflowError from then on": "returned",
    "targets unknown": "{a=, b=, c=}",
    "a whole answer": "null",
    "a member is missing": "uniform",
    "an unknown member": "uniform",
    "a partition beyond": "uniform",
    "a partition below 0": "uniform",
    "a partition twice": "uniform",
    "a topic that it does not read": "uniform",
    "a topic that is not there": "uniform",
    "a partition without owner": "uniform",
    "partitions are null": "uniform",
    "no answer": "uniform",
    "no way is whole": "{a=orders-0 orders-1, b=orders-2, c=}",
    "the largest numbers": "used, whole",
    "the largest beside the smallest": "used, whole",
    "only the smallest": "used, whole",
    "more weights than partitions": "used, whole",
    "beyond the largest number": "refused, whole",
    "a hundred thousand digits": "refused, whole",
    "a time beyond all": "refused, whole",
    "a partition beyond int in a plan": "refused, whole",
    "a fraction in a plan": "refused, whole",
    "a hundred thousand levels": "refused, whole",
    "larger than 64 MB": "refused, whole",
    "replaced while it is read": "one version",
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What came of each fault, by its name: one JVM meets them all."""
    jars = kafka_jars("kafka-group-coordinator")
    classes = classes_of((Path(__file__).with_name("Faults.java"), *BROKER_SOURCES), tuple(jars))
    command = [
        java_home() / "bin" / "java",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx512m",
        "-cp",
    ]
    command += [
        os.pathsep.join(map(str, [classes, *jars])),
        "dev.evenkeel.Faults",
        tmp_path_factory.mktemp("files"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(line.split("\t") for line in done.stdout.splitlines())


@pytest.mark.parametrize("name", OUTCOMES)
def test_after_a_fault_the_answer_is(outcomes, name):
    assert outcomes[name] == OUTCOMES[name]


def test_every_fault_is_looked_at(outcomes):
    assert outcomes.keys() == OUTCOMES.keys()
