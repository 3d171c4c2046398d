"""Work in a process of its own: what it answers, its limits, and its end."""

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import decode
from evenkeel.data.own_process import LimitError, Limits, OwnProcess
from tests.waiting import until

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
BEGINS_ONE_AND_WAITS = """
import time
from evenkeel.data.own_process import Limits, OwnProcess
running = OwnProcess(Limits(), time.sleep, 600)
print(running._process.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def begun():
    """Return what begins a process, stopped after the test."""
    running = []

    def begin(limits, function, *arguments):
        running.append(OwnProcess(limits, function, *arguments))
        return running[-1]

    yield begin
    for one in running:
        one.stop()


def test_it_answers_what_the_function_returns_and_raises_what_it_refuses(begun):
    answered, refused, failed = (
        begun(Limits(), divmod, 17, 5),
        begun(Limits(), decode, b"{}"),
        begun(Limits(), int, "no number"),
    )

    assert answered.has_ended(PATIENCE)
    assert answered.answer() == (3, 2)
    assert refused.has_ended(PATIENCE)
    assert failed.has_ended(PATIENCE)
    with pytest.raises(SnapshotError, match=r"^\$\.format: missing, expected "):
        refused.answer()
    with pytest.raises(
        SnapshotError,
        match=r"^the process that computes the answer was ended by exit code 1, expected an answer",
    ):
        failed.answer()


def test_bytes_come_back_part_by_part(begun):
    running = begun(Limits(), bytes, 3 * 2**20)

    assert running.has_ended(PATIENCE)
    running.require_answer()
    assert [len(part) for part in running.parts()] == [2**20] * 3


@pytest.mark.parametrize(
    "takes_too_much",
    [
        pytest.param((bytes, 10**9), id="python"),
        # The C library says "cannot allocate memory for thread-local data" and exits with 127.
        pytest.param((os._exit, 127), id="thread"),
    ],
)
def test_more_memory_than_the_limit_is_one_sentence_with_the_setting(begun, takes_too_much):
    running = begun(Limits(memory_bytes=400 * 10**6), *takes_too_much)

    assert running.has_ended(PATIENCE)
    with pytest.raises(LimitError) as refusal:
        running.answer()
    assert (
        str(refusal.value)
        == "the answer takes more than 400 MB of memory, expected at most that ([limits] memory)"
    )


def test_more_time_than_the_limit_is_one_sentence_with_the_setting_and_ends_the_process(begun):
    running = begun(Limits(time=timedelta(seconds=0.5)), time.sleep, 600)

    until(lambda: running.has_ended(0.05), pause=0)

    with pytest.raises(LimitError) as refusal:
        running.answer()
    assert (
        str(refusal.value)
        == "the answer takes longer than 0.5 s, expected at most that ([limits] time)"
    )
    assert running._process.returncode == -signal.SIGKILL


def test_it_ends_with_the_process_that_began_it_however_that_ends():
    with subprocess.Popen(
        [sys.executable, "-c", BEGINS_ONE_AND_WAITS], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        child = int(parent.stdout.readline())
        parent.kill()

    # A process that has ended may wait for its new parent to take note of it.
    deadline = time.monotonic() + PATIENCE
    while is_running(child):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
