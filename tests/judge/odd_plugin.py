"""The plug-in of the tests: tests/judge/plugins/OddAssignor.java as an operator would bring it, a
jar and tables of a configuration.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from evenkeel.data.configuration.plugin import assignor
from evenkeel.data.configuration.plugin.assignor import PluginAssignor, kafka_jars
from tests.judge.building import build_jar, classes_of

SOURCE = Path(__file__).parent / "plugins" / "OddAssignor.java"
CLASS = "com.example.OddAssignor"


@cache
def odd_jar() -> Path:
    """Compile the jar, once for all tests of a process."""
    folder = Path(tempfile.mkdtemp(prefix="evenkeel-odd-"))
    atexit.register(shutil.rmtree, folder)
    return build_jar(SOURCE, kafka_jars("kafka-clients"), folder / "odd.jar")


@contextmanager
def compiled_once() -> Iterator[None]:
    """Start plug-ins of this process from classes: from its source, each JVM compiles the program
    anew, two thirds of its processor time.
    """
    source, class_path = assignor._PROGRAM, PluginAssignor._class_path
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            PluginAssignor,
            "_class_path",
            lambda self: [*(paths := class_path(self)), classes_of((source,), tuple(paths))],
        )
        patch.setattr(assignor, "_PROGRAM", source.stem)
        yield


def table(
    name: str,
    mood: str = "calm",
    class_name: str = CLASS,
    time_limit: str = "20s",
    jar: Path | None = None,
) -> str:
    """Return a table of a configuration; without `jar` the compiled one."""
    return f"""
[plugins.{name}]
jars = ["{jar or odd_jar()}"]
class = "{class_name}"
memory = "64m"
time_limit = "{time_limit}"
settings = {{mood = "{mood}"}}
"""


MISBEHAVING = {
    "throws": ("IllegalStateException", "throws: not today"),
    "overflows": ("StackOverflowError", "overflows: null"),
    "eats": ("OutOfMemoryError", "needs more memory than its limit of 64m"),
    "exits": ("ProcessExit", "the JVM ended with exit code 7"),
    "babbles": ("ProcessExit", "babbles: the JVM wrote b'no JSON', expected an answer"),
    "hangs": ("TimeoutException", "no answer in 0.5 s"),
    "no-class": (
        "KafkaException",
        "no-class: com.example.Missing ClassNotFoundException exception occurred",
    ),
    "no-jar": ("NoClassDefFoundError", "no-jar: no such file: plugins.no-jar.jars[0]"),
}
"""What goes wrong, by the name of the plug-in: Java's class and the message."""


def misbehaving() -> str:
    """Return a configuration with a plug-in for each thing that goes wrong, and a good one behind
    them.
    """
    moods = [table(mood, mood) for mood in ("throws", "overflows", "eats", "exits", "babbles")]
    missing = [
        table("no-class", class_name="com.example.Missing"),
        table("no-jar", jar=Path("/nowhere/odd.jar")),
    ]
    return "".join([*moods, table("hangs", "hangs", time_limit="0.5s"), *missing, table("odd")])
