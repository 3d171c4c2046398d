"""The shell's settings of Evenkeel do not reach the tests."""

import os
import subprocess
import sys
from pathlib import Path

_SHOW = (
    "import os, tests.conftest; print(sorted(name for name in os.environ if"
    " name.startswith('EVENKEEL_')))"
)


def test_no_variable_of_evenkeel_in_the_shell_is_left_for_a_test():
    shell = os.environ | {
        "EVENKEEL_LAKE": "/nowhere",
        "EVENKEEL_CONFIG": "/nowhere.toml",
        "EVENKEEL_ANYTHING": "",
    }
    command = [sys.executable, "-c", _SHOW]

    shown = subprocess.run(
        command,
        cwd=Path(__file__).parents[1],
        env=shell,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert shown == "[]\n"
