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


def test_each_test_has_a_time_limit_of_minutes(pytestconfig):
    assert 60 <= float(pytestconfig.getini("timeout")) <= 600


def test_a_test_that_hangs_fails_with_the_stacks_of_all_threads_and_the_next_one_runs(tmp_path):
    (tmp_path / "test_hanging.py").write_text(_HANGING)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(_ROOT / "pyproject.toml"),
        "-p",
        "no:cacheprovider",
        "--timeout",
        "0.5",
        str(tmp_path),
    ]

    run = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)

    assert "1 failed, 1 passed" in run.stdout
    assert "Failed: Timeout (>0.5s)" in run.stdout
    assert "in waiting_beside" in run.stdout
