"""Processes that a warm host forks: as those that start by themselves, and their ends with the host
and with whoever began it.
"""

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.own_process import LimitError, Limits, OwnProcess, answered
from evenkeel.data.warm_host import WarmHost
from tests.data.test_own_process import is_running
from tests.listening import begun_by
from tests.waiting import until

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def host():
    """A host that has loaded next to nothing."""
    host = WarmHost("evenkeel.data.clock", "now")
    host.start()
    yield host
    host._process.kill()
    host._process.wait()


@pytest.fixture
def begin(host):
    return partial(OwnProcess, begin=host.begin)


def test_it_answers_at_once_and_side_by_side_and_raises_what_it_refuses(begin):
    running = [begin(Limits(), divmod, number, 5) for number in range(8)]

    assert [answered(one) for one in running] == [divmod(number, 5) for number in range(8)]
    with pytest.raises(
        SnapshotError,
        match=r"^the process that computes the answer was ended by exit code 1, expected an answer",
    ):
        answered(begin(Limits(), int, "no number"))


def test_processes_are_forked_from_one_host_that_stays(begin, host):
    parents = {answered(begin(Limits(), os.getppid)) for _ in range(2)}

    assert parents == {host._process.pid}


def test_more_memory_or_time_than_the_limit_is_one_sentence_with_the_setting(begin):
    large, late = (
        begin(Limits(memory_bytes=300 * 10**6), bytes, 10**9),
        begin(Limits(time=timedelta(seconds=0.2)), time.sleep, 600),
    )

    with pytest.raises(
        LimitError,
        match=(
            r"^the answer takes more than 300 MB of memory, expected at most that \(\[limits\]"
            r" memory\)$"
        ),
    ):
        answered(large)
    with pytest.raises(
        LimitError,
        match=r"^the answer takes longer than 0.2 s, expected at most that \(\[limits\] time\)$",
    ):
        answered(late)
    assert late._process.returncode == -signal.SIGKILL


def test_one_that_is_stopped_is_gone_when_that_returns(begin, host):
    running = begin(Limits(), time.sleep, 600)
    (child,) = until(lambda: begun_by(host._process.pid))

    running.stop()

    assert not is_running(child)


def test_a_process_that_is_killed_from_outside_is_told_and_the_host_goes_on(begin, host):
    running = begin(Limits(), time.sleep, 600)
    (child,) = until(lambda: begun_by(host._process.pid))

    os.kill(child, signal.SIGKILL)

    with pytest.raises(
        SnapshotError, match="was ended by SIGKILL, expected an answer; memory may be short$"
    ):
        answered(running)
    assert answered(begin(Limits(), divmod, 17, 5)) == (3, 2)


def test_a_host_that_is_killed_takes_its_processes_along_and_the_next_question_begins_another(
    begin, host
):
    running = begin(Limits(), time.sleep, 600)
    (child,) = until(lambda: begun_by(host._process.pid))

    host._process.kill()

    with pytest.raises(SnapshotError, match="was ended by SIGKILL"):
        answered(running)
    assert until(lambda: not is_running(child))
    assert answered(begin(Limits(), divmod, 17, 5)) == (3, 2)


def test_host_and_process_end_with_the_process_that_began_them_however_that_ends():
    code = """if True:
        import time
        from evenkeel.data.own_process import Limits, OwnProcess
        from evenkeel.data.warm_host import WarmHost
        host = WarmHost("evenkeel.data.clock", "now")
        running = OwnProcess(Limits(), time.sleep, 600, begin=host.begin)
        print(host._process.pid, flush=True)
        time.sleep(600)
    """
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        host = int(parent.stdout.readline())
        (child,) = until(lambda: begun_by(host))
        parent.kill()

    until(lambda: not is_running(child) and not is_running(host))


def test_a_host_that_is_not_needed_for_long_ends_and_the_next_question_begins_another():
    begins = (
        "import sys; from evenkeel.data import warm_host as w; w._IDLE_SECONDS = 0.05;"
        " w._main(*sys.argv[1:])"
    )
    host = WarmHost("evenkeel.data.clock", "now")
    host._command = [sys.executable, "-P", "-c", begins, "evenkeel.data.clock", "now"]
    host.start()
    first = host._process

    assert first.wait(60) == 0
    assert answered(OwnProcess(Limits(), divmod, 17, 5, begin=host.begin)) == (3, 2)
    assert host._process.pid != first.pid


def test_a_host_has_no_secret_and_a_process_has_those_of_its_question(begin, host):
    asked = begin(Limits(secrets={"KAFKA_PASSWORD": "of the tests"}), os.getenv, "KAFKA_PASSWORD")

    assert answered(asked) == "of the tests"
    assert answered(begin(Limits(), os.getenv, "KAFKA_PASSWORD")) is None
