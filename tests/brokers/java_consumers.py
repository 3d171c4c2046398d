"""JavaConsumers: consumers of Kafka's own client, in one JVM."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from evenkeel.data.configuration.java import java_home
from evenkeel.data.configuration.plugin.assignor import kafka_jars
from tests.ending import WITH_US
from tests.judge.building import classes_of


class JavaConsumers:
    """Started and stopped by name (their client id); a context manager that stops them all."""

    def __init__(self, bootstrap: str):
        jars = kafka_jars("kafka_2.13")
        classes = classes_of((Path(__file__).with_name("Consumers.java"),), tuple(jars))
        paths = os.pathsep.join(map(str, [classes, *jars]))
        command = [
            *WITH_US,
            java_home() / "bin" / "java",
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            paths,
            "Consumers",
            bootstrap,
        ]
        pipes = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
            "text": True,
        }
        self._process = subprocess.Popen(command, **pipes)
        self._running: set[str] = set()
        self._answer("ready")

    def start(self, name: str, topics: str, **settings: str) -> None:
        """Start one consumer: topics separated by commas or a pattern that begins with ^, settings
        by Kafka's names with _ for the dots.
        """
        words = [f"{key.replace('_', '.')}={value}" for key, value in settings.items()]
        self._running.add(name)
        self._ask(f"start {name} {topics} {' '.join(words)}")

    def stop(self, *names: str) -> None:
        """Close consumers: dynamic ones leave their groups, static ones do not."""
        self._end("stop", names)

    def stop_all(self) -> None:
        """Close all consumers."""
        self._end("stop", sorted(self._running))

    def leave(self, *names: str) -> None:
        """Let consumers leave their groups, static ones too."""
        self._end("leave", names)

    def die(self, *names: str) -> None:
        """End consumers without a word to the coordinator, which waits for the end of their
        sessions.
        """
        self._end("die", names)

    def stall(self, name: str) -> None:
        """Let a consumer poll no more, as one that works on a batch for long."""
        self._ask(f"stall {name}")

    def go_on(self, name: str) -> None:
        """Let a stalled consumer poll again."""
        self._ask(f"go {name}")

    def generation(self, name: str) -> int:
        """Return the generation, or the member epoch, that a consumer had after its last poll; -1
        before the first.
        """
        self._say(f"generation {name}")
        said = self._process.stdout.readline().strip()
        return -1 if said == "null" else int(said)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()

    def _end(self, how: str, names: Iterable[str]) -> None:
        self._running.difference_update(names)
        self._ask(f"{how} {' '.join(names)}")

    def _ask(self, line: str) -> None:
        self._say(line)
        self._answer("done")

    def _say(self, line: str) -> None:
        self._process.stdin.write(line.strip() + "\n")
        self._process.stdin.flush()

    def _answer(self, expected: str) -> None:
        said = self._process.stdout.readline().strip()
        if said != expected:
            raise RuntimeError(f"the consumers' JVM said {said!r}, expected {expected!r}")
