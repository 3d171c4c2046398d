"""Applications: instances of a real Kafka Streams application, in one JVM."""

import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from evenkeel.data.configuration.java import java_home
from evenkeel.data.configuration.plugin.assignor import kafka_jars
from tests.ending import WITH_US
from tests.judge.building import classes_of

SOURCES = {"counted": 6, "copied": 4, "copies": 4}
"""The topics that an application needs, and their partitions."""

QUICK = {
    "session_timeout_ms": "6000",
    "heartbeat_interval_ms": "500",
    "metadata_max_age_ms": "1000",
}
"""Settings of an instance: one that dies is missed after six seconds."""


class Running(NamedTuple):
    """What an instance says of itself. `active`, `standby`: task ids by thread."""

    state: str
    active: dict[str, set[str]]
    standby: dict[str, set[str]]


class Applications:
    """Instances by name (their client id), each with a state folder of its own; a context manager
    that kills them all.
    """

    def __init__(self, bootstrap: str):
        jars = kafka_jars("kafka-streams")
        self._folder = tempfile.TemporaryDirectory(
            prefix="evenkeel-applications-", ignore_cleanup_errors=True
        )
        classes = classes_of(
            tuple(Path(__file__).with_name(name) for name in ("Applications.java", "Slowly.java")),
            tuple(jars),
        )
        paths = os.pathsep.join(map(str, [classes, *jars]))
        options = ["-Xmx400m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        command = [
            *WITH_US,
            java_home() / "bin" / "java",
            *options,
            "-cp",
            paths,
            "Applications",
            bootstrap,
        ]
        pipes = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
            "text": True,
        }
        self._process = subprocess.Popen(command, **pipes)
        self._expect(self._process.stdout.readline(), "ready")

    def start(
        self, name: str, application_id: str, disk: str | None = None, **settings: str
    ) -> None:
        """Start an instance. `disk`: the name of its state folder, its own by default. Settings by
        Kafka's names with _ for the dots.
        """
        words = {
            "application_id": application_id,
            "state_dir": Path(self._folder.name, disk or name),
            **QUICK,
            **settings,
        }
        said = [f"{key.replace('_', '.')}={value}" for key, value in words.items()]
        self._expect(self._ask(f"start {name} {' '.join(said)}"), "done")

    def stop(self, name: str) -> None:
        """Close an instance as `close()` does by default: a classic one does not tell the
        coordinator.
        """
        self._expect(self._ask(f"stop {name}"), "done")

    def leave(self, name: str) -> None:
        """Close an instance, and let it leave its group."""
        self._expect(self._ask(f"leave {name}"), "done")

    def running(self, name: str) -> Running:
        """Ask an instance for its state and tasks."""
        state, *threads = self._ask(f"tasks {name}").rstrip("\n").split(";")
        found = [thread.split(" ") for thread in threads]
        return Running(
            state,
            {thread: set(filter(None, active.split(","))) for thread, _, active, _, _ in found},
            {thread: set(filter(None, standby.split(","))) for thread, _, _, _, standby in found},
        )

    def behind(self, name: str) -> int:
        """Ask an instance how many records all its copies of state lack."""
        return int(self._ask(f"behind {name}"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def _ask(self, line: str) -> str:
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def _expect(self, said: str, expected: str) -> None:
        if said.strip() != expected:
            raise RuntimeError(f"the applications' JVM said {said!r}, expected {expected!r}")
