"""Waits of the tests end."""

import subprocess

import pytest

from tests.waiting import lines_until, until


def test_a_wait_returns_what_it_waited_for_and_fails_after_its_time():
    answers = iter([None, [], "there"])

    assert until(lambda: next(answers), pause=0) == "there"
    with pytest.raises(AssertionError, match="it did not come to this in 0.01 s"):
        until(lambda: False, seconds=0.01)


def test_a_process_that_does_not_say_what_is_waited_for_is_killed():
    with subprocess.Popen(
        ["sh", "-c", "echo one; echo two words; exec sleep 60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert lines_until(process, "three", "two") == ["one\n", "two words\n"]
        with pytest.raises(AssertionError, match="no .'three',. in"):
            lines_until(process, "three", seconds=0.2)
