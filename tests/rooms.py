"""Rooms: tests that start a broker, a browser, Spark or another JVM; one process of a parallel run
has a room alone. Any other file is a room of its own.

`make quick` leaves these rooms out. It starts no Java and no browser, so a test that should be
named here fails in it.
"""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

_ROOMS = (
    # A browser.
    (
        "tests/dashboard/browser/test_charts.py",
        "tests/dashboard/browser/test_keyboard.py",
        "tests/dashboard/browser/test_look.py",
    ),
    # Brokers in racks with Java consumers; they wait for most of their time.
    (
        "tests/data/live/groups/test_real_groups.py",
        "tests/data/live/groups/test_predictions.py",
        "tests/data/live/groups/test_readiness.py",
        "tests/data/live/groups/test_expressions.py",
    ),
    # Clients of other languages; they wait, too.
    ("tests/data/live/groups/test_other_clients.py", "tests/deploy/test_groups.py"),
    # A browser.
    ("tests/dashboard/browser/", "tests/dashboard/shares/reports/test_pictures.py"),
    # One broker.
    (
        "tests/data/live/groups/test_changing_groups.py",
        "tests/data/live/groups/test_one_bucket.py",
        "tests/data/live/groups/test_share_groups.py",
        "tests/data/live/test_ages.py",
        "tests/data/live/test_applications.py",
        "tests/data/live/test_connection.py",
        "tests/data/live/test_from_python.py",
        "tests/data/live/test_offsets.py",
        "tests/data/live/test_rebalances.py",
        "tests/data/pipeline/collect/test_data_source.py",
        "tests/data/pipeline/collect/test_slots.py",
        "tests/dashboard/groups/test_page.py",
        "tests/dashboard/pages/test_lag_in_use.py",
        "tests/dashboard/pages/test_on_the_way.py",
        "tests/dashboard/readiness/test_page.py",
    ),
    # Brokers that check rights, and brokers that fail.
    ("tests/data/live/access/", "tests/data/live/test_failover.py"),
    # Spark.
    (
        "tests/data/group/tables/transforms/",
        "tests/data/pipeline/collect/test_lake_away.py",
        "tests/data/pipeline/collect/test_unread.py",
        "tests/data/pipeline/ingest/",
        "tests/data/pipeline/spark/",
        "tests/data/pipeline/test_alerts.py",
        "tests/data/pipeline/test_data_sources.py",
        "tests/data/pipeline/test_past.py",
        "tests/data/pipeline/test_timeline.py",
        "tests/data/pipeline/test_rebalances.py",
        "tests/data/pipeline/test_uploads.py",
    ),
    ("tests/deploy/test_broker_jar.py", "tests/deploy/test_broker_faults.py"),
    ("tests/test_distribution.py",),
    ("tests/judge/",),
    # Spark, in processes of its own.
    ("tests/data/pipeline/collect/test_collect.py",),
    ("tests/data/commands/test_ingest.py",),
    # Other JVMs.
    ("tests/brokers/test_demo.py", "tests/services/test_ending.py"),
    (
        "tests/data/configuration/plugin/test_plugin.py",
        "tests/data/commands/test_plugins.py",
        "tests/dashboard/pages/test_plugins.py",
    ),
    ("tests/data/configuration/plugin/test_kafka_jars.py",),
)
"""Beginnings of tests' names, by room. Rooms that are busy and rooms that wait are begun together,
the longest of them first: no core is idle, and no process ends with one alone.
"""

_PROGRAMS = ("java", "chromium")
_REFUSING = """#!/bin/sh
case "$*" in *--list-modules*) echo jdk.incubator.vector@99; exit 0;; esac
echo "make quick starts no $(basename "$0")," \\
    "expected the test in tests/rooms.py: $PYTEST_CURRENT_TEST" >&2
exit 1
"""


def turn(nodeid: str) -> int:
    """Return when a test's room is begun; rooms that are files come last, in their own order."""
    return next(
        (place for place, beginnings in enumerate(_ROOMS) if nodeid.startswith(beginnings)),
        len(_ROOMS),
    )


def is_quick(nodeid: str) -> bool:
    """Tell whether a test starts no broker, browser, Spark or other JVM."""
    return turn(nodeid) == len(_ROOMS)


def without_tests(nodeids: Iterable[str], collected: Iterable[str]) -> str:
    """Return a line for each beginning without a test. `collected`: the folders and files whose
    tests were collected, as beginnings.
    """
    turns, collected = [(turn(nodeid), nodeid) for nodeid in nodeids], tuple(collected)
    return "\n".join(
        f'tests/rooms.py: found "{beginning}", expected the beginning of a test that no earlier'
        " room has"
        for place, beginnings in enumerate(_ROOMS)
        for beginning in beginnings
        if beginning.startswith(collected)
        and not any(at == place and nodeid.startswith(beginning) for at, nodeid in turns)
    )


def refuse_programs() -> tempfile.TemporaryDirectory:
    """Let this process and its children start no Java and no browser while the folder exists."""
    folder = tempfile.TemporaryDirectory(prefix="evenkeel-quick-")
    programs = Path(folder.name, "bin")
    programs.mkdir()
    for name in _PROGRAMS:
        (programs / name).write_text(_REFUSING)
        (programs / name).chmod(0o755)
    os.environ |= {"JAVA_HOME": folder.name, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    return folder


class Rooms(LoadScopeScheduling):
    """Hands out rooms."""

    def _split_scope(self, nodeid: str) -> str:
        place = turn(nodeid)
        return str(place) if place < len(_ROOMS) else nodeid.partition("::")[0]
