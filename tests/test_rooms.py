"""Rooms of the tests: what is named there exists, and `make quick` leaves it out."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_PLANTED = """
from tests import rooms
rooms._ROOMS += ((%r,),)
"""


def _collected(tmp_path, planted, *options):
    """Collect the quick tests of a folder; each process of a parallel run has the planted beginning
    too.
    """
    (tmp_path / "planted.py").write_text(_PLANTED % planted if planted else "")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "planted",
        "-p",
        "no:cacheprovider",
        "--quick",
        *options,
        "tests/services",
    ]
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{_ROOT}"}
    return subprocess.run(
        command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_quick_tests_are_the_tests_of_no_room(tmp_path):
    run = _collected(tmp_path, None, "--collect-only")

    assert run.returncode == 0, run.stdout + run.stderr
    assert "test_s3.py::" in run.stdout
    assert "test_ending.py::" not in run.stdout


@pytest.mark.parametrize(
    ("planted", "options", "code"),
    [
        ("tests/services/test_gone.py", ["--collect-only"], 2),
        ("tests/services/test_gone.py", ["-n2"], 1),
        ("tests/services/test_ending.py::", ["--collect-only"], 2),
    ],
)
def test_a_beginning_that_no_test_has_or_that_an_earlier_room_has_fails_the_collection(
    tmp_path, planted, options, code
):
    run = _collected(tmp_path, planted, *options)

    assert (
        f'tests/rooms.py: found "{planted}", expected the beginning of a test that no earlier'
        " room has" in run.stdout
    ), run.stderr
    assert run.returncode == code


@pytest.mark.parametrize("program", ["java", "chromium"])
def test_a_quick_run_starts_no_java_and_no_browser_and_names_the_table(program):
    code = f"""
import subprocess
from evenkeel.data.configuration.java import java_home
from tests.rooms import refuse_programs
with refuse_programs() as folder:
    assert str(java_home()) == folder
    print(subprocess.run(["{program}", "-version"], capture_output=True, text=True))
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=_ROOT,
        env=os.environ | {"PYTEST_CURRENT_TEST": "tests/test_x.py"},
        capture_output=True,
        text=True,
    )

    assert "returncode=1" in run.stdout, run.stderr
    assert (
        f"make quick starts no {program}, expected the test in tests/rooms.py: tests/test_x.py"
        in run.stdout
    )


_BROKERS_THAT_SAY_SO = """
from tests import rooms
from tests.brokers import broker
rooms._ROOMS = (("test_a.py", "test_b.py"), ("test_c.py",))
class Brokers:
    def __init__(self, **_):
        pass
    def __enter__(self):
        print("begins")
    def __exit__(self, *_):
        print("ends")
broker.Brokers = Brokers
"""


def test_a_broker_serves_the_files_of_a_room_and_ends_with_it(tmp_path):
    (tmp_path / "planted.py").write_text(_BROKERS_THAT_SAY_SO)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    for name in "abc":
        (tmp_path / f"test_{name}.py").write_text(f"def test(broker): print('{name}')")
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "planted", "-p", "tests.conftest"]

    run = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{_ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )

    words = re.findall(r"begins|ends|\b[abc]\b", run.stdout)
    assert words == ["begins", "a", "b", "ends", "begins", "c", "ends"], run.stdout + run.stderr
