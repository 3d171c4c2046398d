"""A test that hangs ends, and its report says where each thread was."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_HANGING = """
import threading, time

def waiting_beside():
    time.sleep(60)

def test_hangs():
    threading.Thread(target=waiting_beside, daemon=True).start()
    time.sleep(60)

def test_goes_on():
    pass
"""
_DEAF = """
import signal, time

def test_hears_no_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(60)

def test_goes_on():
    pass
"""


def test_each_test_has_a_time_limit_of_minutes(pytestconfig):
    limit, last = (float(pytestconfig.getini(name)) for name in ("timeout", "faulthandler_timeout"))

    assert 60 <= limit <= 600
    assert limit < last <= limit + 60
    assert pytestconfig.getini("faulthandler_exit_on_timeout") is True


def test_a_test_that_hangs_fails_with_the_stacks_of_all_threads_and_the_next_one_runs(tmp_path):
    run = _run(tmp_path, _HANGING, "--timeout", "0.5")

    assert "1 failed, 1 passed" in run.stdout
    assert "Failed: Timeout (>0.5s)" in run.stdout
    assert "in waiting_beside" in run.stdout


def test_a_test_that_no_signal_ends_ends_with_its_process_and_the_next_one_runs(tmp_path):
    limits = ("--timeout", "0.5", "--override-ini", "faulthandler_timeout=2")

    run = _run(tmp_path, _DEAF, *limits, "--numprocesses", "1")

    assert "1 failed, 1 passed" in run.stdout
    assert "crashed while running 'test_limits.py::test_hears_no_signal'" in run.stdout
    assert "in test_hears_no_signal" in run.stderr


def _run(folder, text, *words):
    """Run the tests of a text with the project's settings and `words`."""
    (folder / "test_limits.py").write_text(text)
    settings = ["-c", str(_ROOT / "pyproject.toml"), "--rootdir", str(folder)]
    command = [sys.executable, "-m", "pytest", *settings, "-p", "no:cacheprovider", *words]
    return subprocess.run(
        [*command, str(folder)], capture_output=True, text=True, timeout=240, check=False
    )
