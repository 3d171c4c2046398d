"""An assignor from a jar: its answer, and everything that it may do wrong."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.compare.comparison import compare
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.configuration.plugin import available
from evenkeel.data.configuration.plugin.assignor import PluginAssignor
from evenkeel.data.configuration.settings import PluginSettings
from evenkeel.data.threads import in_daemon_thread
from tests.assignors.groups import Member, assignment, group, spelled
from tests.judge.odd_plugin import compiled_once, odd_jar
from tests.waiting import until


@pytest.fixture(scope="module", autouse=True)
def program():
    """The program of plug-ins, compiled once; processes that a test starts run it from its
    source.
    """
    with compiled_once():
        yield


@pytest.fixture(scope="session")
def jar():
    return odd_jar()


@pytest.fixture
def plugin(jar):
    """Make plug-ins with a mood; their JVMs end with the test."""
    made = []

    def make(mood="calm", class_name="com.example.OddAssignor", time_limit="20s", jars=(jar,)):
        settings = PluginSettings(
            jars=tuple(map(str, jars)),
            class_name=class_name,
            memory="64m",
            time_limit=Duration.parse(time_limit),
            settings={"mood": mood},
        )
        made.append(PluginAssignor("odd", settings))
        return made[-1]

    yield make
    for each in made:
        each.close()


KILLED = "the JVM was killed by signal 9 before it had answered; the next question starts a new JVM"


def two_members():
    return group({"t0": 2, "t1": 1}, B="t0 t1", A="t0 t1")


def test_a_class_from_a_jar_answers_on_the_same_snapshot_though_it_prints(plugin):
    snapshot = two_members()

    answer = plugin().assign(snapshot)

    assert spelled(snapshot, answer) == {"B": "", "A": "t0-0 t0-1 t1-0"}


def test_kafkas_own_sticky_run_as_a_plug_in_reads_what_members_own(plugin):
    snapshot = group(
        {"t0": 4},
        A=Member("t0", owned="t0-2 t0-3", generation=3),
        B=Member("t0", owned="t0-0 t0-1", generation=3),
    )

    answer = plugin(class_name="org.apache.kafka.clients.consumer.StickyAssignor").assign(snapshot)

    assert spelled(snapshot, answer) == {"A": "t0-2 t0-3", "B": "t0-0 t0-1"}


@pytest.mark.parametrize(
    ("mood", "time_limit", "java_class", "message"),
    [
        ("throws", "20s", "IllegalStateException", "odd: not today"),
        ("overflows", "20s", "StackOverflowError", "odd: null"),
        ("hangs", "0.5s", "TimeoutException", "no answer in 0.5 s"),
        ("spins", "0.5s", "TimeoutException", "no answer in 0.5 s"),
        ("eats", "20s", "OutOfMemoryError", "needs more memory than its limit of 64m"),
        ("exits", "20s", "ProcessExit", "the JVM ended with exit code 7"),
        ("babbles", "20s", "ProcessExit", "odd: the JVM wrote b'no JSON', expected an answer"),
        (
            "invents",
            "20s",
            "IllegalStateException",
            "odd: assigns nowhere-0, expected partitions of the group's topics",
        ),
    ],
)
def test_a_class_that_misbehaves_is_an_error_by_name(plugin, mood, time_limit, java_class, message):
    with pytest.raises(AssignorError) as raised:
        plugin(mood, time_limit=time_limit).assign(two_members())

    assert (raised.value.java_class, str(raised.value)) == (java_class, message)


def test_a_class_or_a_jar_that_is_not_there_is_an_error_by_name(plugin):
    with pytest.raises(AssignorError, match="com.example.Missing ClassNotFoundException"):
        plugin(class_name="com.example.Missing").assign(two_members())
    with pytest.raises(AssignorError, match=r"no such file: plugins\.odd\.jars\[0\]"):
        plugin(jars=["/nowhere/odd.jar"]).assign(two_members())


def test_after_a_hang_the_same_plug_in_answers_the_next_question(plugin):
    moody = plugin("hangs on two topics", time_limit="4s")
    with pytest.raises(AssignorError, match="no answer in 4 s"):
        moody.assign(two_members())

    answer = moody.assign(group({"t0": 2}, B="t0", A="t0"))

    assert answer.owner.tolist() == [1, 1]


def test_the_row_of_a_class_that_hangs_has_its_error_and_the_other_rows_work(jar):
    snapshot = two_members()
    settings = PluginSettings(
        jars=(str(jar),),
        class_name="com.example.OddAssignor",
        time_limit=Duration.parse("0.5s"),
        settings={"mood": "hangs"},
    )
    assignors = [make() for make in available({"odd": settings}).values()]

    rows = compare(snapshot, assignment(snapshot), assignors).rows

    assert [row.name for row in rows] == ["current", *ASSIGNORS, "odd"]
    assert [row.name for row in rows if row.error] == ["odd"]
    assignors[-1].close()


def test_close_ends_a_question_that_hangs(plugin):
    hanging = plugin("hangs on two topics", time_limit="10m")
    hanging.assign(group({"t0": 2}, B="t0", A="t0"))
    answer = in_daemon_thread(lambda: hanging.assign(two_members()))
    until(lambda: hanging._host._lock.locked())

    hanging.close()

    assert (answer.exception().java_class, str(answer.exception())) == ("ProcessExit", KILLED)


def test_close_ends_a_jvm_that_starts_whichever_thread_hears_of_it_first(plugin):
    hanging, errors = plugin("hangs", time_limit="10m"), []

    for _ in range(20):
        answer = in_daemon_thread(lambda: hanging.assign(two_members()))
        until(lambda: hanging._host and hanging._host._process)
        hanging.close()
        errors.append(answer.exception())

    assert {getattr(error, "java_class", error) for error in errors} == {"ProcessExit"}


@pytest.mark.parametrize(
    "is_asked", [True, False], ids=["in the middle of an answer", "between two answers"]
)
def test_a_jvm_that_was_killed_is_one_sentence_for_who_waits_and_the_next_question_is_answered(
    plugin, is_asked
):
    hanging = plugin("hangs on two topics", time_limit="10m")
    hanging.assign(group({"t0": 2}, B="t0", A="t0"))
    answer = in_daemon_thread(lambda: hanging.assign(two_members())) if is_asked else None
    until(lambda: hanging._host._lock.locked() or not is_asked)

    os.kill(hanging._host._process.pid, signal.SIGKILL)
    said = (
        str(answer.exception(60))
        if is_asked
        else os.waitid(os.P_PID, hanging._host._process.pid, os.WEXITED | os.WNOWAIT) and KILLED
    )

    assert said == KILLED
    assert hanging.assign(group({"t0": 2}, B="t0", A="t0")).owner.tolist() == [1, 1]


def processes_in_group(pid):
    listed = subprocess.run(
        ["ps", "-A", "-o", "pgid=,pid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    return [
        line
        for line in listed.splitlines()
        if line.split()[0] == str(pid) and not line.split()[2].startswith("Z")
    ]


def test_nothing_is_left_of_a_class_that_starts_a_process_and_a_thread(plugin):
    forking = plugin("forks")
    forking.assign(two_members())
    pid = forking._host._process.pid

    during = processes_in_group(pid)
    forking.close()

    assert len(during) == 2
    assert processes_in_group(pid) == []


def test_the_jvm_of_a_class_that_hangs_ends_soon_after_its_parent_was_killed(jar):
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(jar)],
        cwd=Path(__file__).parents[4],
        stdout=subprocess.PIPE,
        text=True,
    )
    pid = int(parent.stdout.readline())
    time.sleep(1)

    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate()

    assert until(lambda: processes_in_group(pid) == [])


_PARENT = """
import sys, threading, time
from evenkeel.data.configuration.plugin.assignor import PluginAssignor
from evenkeel.data.configuration.settings import PluginSettings
from evenkeel.data.configuration.conversion import Duration
from tests.assignors.groups import group

limit, mood = Duration.parse("1s"), {"mood": "hangs"}
name = "com.example.OddAssignor"
settings = PluginSettings(
    jars=(sys.argv[1],), class_name=name, time_limit=limit, settings=mood
)
plugin = PluginAssignor("odd", settings)
host = plugin._started()
host.ask([], 60)
print(host._process.pid, flush=True)
group = b'{"members": [{"member_id": "A", "subscribed": []}]}'
request = b'{"assignor": "com.example.OddAssignor", "settings": {"mood": "hangs"}, "group": '
host.ask([request + group + b"}"], 600)
"""
