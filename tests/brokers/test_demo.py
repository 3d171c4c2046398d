"""`make kafka`: the groups that it promises can be listed, and nothing is left of it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from tests.brokers import demo
from tests.waiting import lines_until, until

_LIST = "import sys; from evenkeel.data.commands.main import main; sys.exit(main())"


def test_it_says_what_ctrl_c_deletes_before_anybody_presses_it(capsys):
    demo.say(Path("/tmp/x/evenkeel.toml"))

    first, *_ = capsys.readouterr().out.splitlines()
    assert (
        first
        == "A cluster named demo is up. Ctrl-C ends the broker and deletes /tmp/x with its data and"
        " its configuration. In another terminal:"
    )


def test_the_demo_has_its_groups_with_an_idle_member_and_a_growing_lag_and_leaves_nothing():
    with subprocess.Popen(
        [sys.executable, "-m", "tests.brokers.demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        configuration = re.search(
            r"EVENKEEL_CONFIG=(\S+) make run", lines_until(process, "make run")[-1]
        )[1]
        groups = until(
            lambda: found if _is_complete(found := _groups(configuration)) else None,
            seconds=180,
            pause=1,
        )
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=240)

    assert {
        name: (one["state"], one["assignor"], one["member_count"]) for name, one in groups.items()
    } == {
        "payments": ("Stable", "range", 5),
        "orders": ("Stable", "cooperative-sticky", 3),
        "shipping": ("Stable", "uniform", 2),
        "reports": ("Stable", "range", 1),
    }
    assert groups["reports"]["lag"] > 20
    assert (process.returncode, complaint) == (0, "")
    assert not Path(configuration).parent.exists()


def _is_complete(groups):
    return (
        len(groups) == 4
        and all(one["state"] == "Stable" for one in groups.values())
        and groups["reports"]["lag"] > 20
        and [groups[name]["member_count"] for name in ("payments", "orders", "shipping", "reports")]
        == [5, 3, 2, 1]
    )


def _groups(configuration):
    done = subprocess.run(
        [sys.executable, "-c", _LIST, "groups", "--cluster", "demo", "--json"],
        env=os.environ | {"EVENKEEL_CONFIG": configuration},
        capture_output=True,
        text=True,
        check=True,
    )
    return {one["group_id"]: one for one in map(json.loads, done.stdout.splitlines())}
