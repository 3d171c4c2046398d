"""Brokers, browsers and services end with a test process that is killed."""

import signal
import subprocess
import sys
from pathlib import Path

from tests.waiting import lines_until, until

_ROOT = Path(__file__).parents[2]
_STARTS_ALL = """
import sys, time
from contextlib import ExitStack
from pathlib import Path
from tests.brokers.broker import Brokers
from tests.brokers.java_consumers import JavaConsumers
from tests.dashboard.browser.server import chromium, dashboard
from tests.services.postgres import Postgres
from tests.services.s3 import S3

with ExitStack() as opened:
    broker = opened.enter_context(Brokers())
    page, consumers = dashboard(Path(sys.argv[1])), JavaConsumers(broker.bootstrap())
    for each in (consumers, S3(), Postgres(), page, chromium()):
        opened.enter_context(each)
    print("started", flush=True)
    time.sleep(600)
"""


def test_nothing_that_a_test_process_has_started_outlives_it_when_it_is_killed(tmp_path):
    command = [sys.executable, "-c", _STARTS_ALL, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        lines_until(process, "started")
        started = _descendants(process.pid)
        process.send_signal(signal.SIGKILL)
    names = set(started.values())

    assert {"java", "postgres", "chromium"} <= names
    assert len(started) >= 7
    until(lambda: not [pid for pid in started if _runs(pid)])


def _descendants(pid: int) -> dict[int, str]:
    """Return the names of all processes below one, by their numbers."""
    children = [
        int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ]
    below = {child: Path(f"/proc/{child}/comm").read_text().strip() for child in children}
    return below | {each: name for child in children for each, name in _descendants(child).items()}


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
