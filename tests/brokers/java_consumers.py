"""JavaConsumers: consumers of Kafka's own client, in one JVM."""

import os
import subprocess
import tempfile
from pathlib import Path

from data.configuration.java import java_home
from data.plugin.kafka_jars import kafka_jars
from tests.judge.building import compile_java


class JavaConsumers:
    """Started and stopped by name (their client id); a context manager that stops them all."""

    def __init__(self, bootstrap: str):
        jars = kafka_jars("kafka_2.13")
        self._classes = tempfile.TemporaryDirectory(prefix="evenkeel-consumers-")
        compile_java([Path(__file__).with_name("Consumers.java")], jars, Path(self._classes.name))
        paths = os.pathsep.join(map(str, [self._classes.name, *jars]))
        command = [
            java_home() / "bin" / "java",
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            paths,
            "Consumers",
            bootstrap,
        ]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        self._process = subprocess.Popen(command, **pipes)
        self._answer("ready")

    def start(self, name: str, topics: str, **settings: str) -> None:
        """Start one consumer: topics separated by commas or a pattern that begins with ^, settings by Kafka's names with _ for the dots."""
        words = [f"{key.replace('_', '.')}={value}" for key, value in settings.items()]
        self._ask(f"start {name} {topics} {' '.join(words)}")

    def stop(self, name: str) -> None:
        """Let one consumer leave its group."""
        self._ask(f"stop {name}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()
        self._classes.cleanup()

    def _ask(self, line: str) -> None:
        self._process.stdin.write(line.strip() + "\n")
        self._process.stdin.flush()
        self._answer("done")

    def _answer(self, expected: str) -> None:
        said = self._process.stdout.readline().strip()
        if said != expected:
            raise RuntimeError(f"the consumers' JVM said {said!r}, expected {expected!r}")
