"""Java sources of the tests become classes and jars."""

import atexit
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from evenkeel.data.configuration.java import java_home
from evenkeel.data.configuration.plugin.assignor import KAFKA_VERSION, kafka_jars

BROKER_SOURCES = tuple(sorted(Path(__file__).parents[2].glob("deploy/broker/dev/evenkeel/*.java")))
"""What becomes the jar for brokers."""


def compile_java(
    sources: Iterable[Path],
    class_path: Iterable[Path],
    folder: Path,
    options: Iterable[str] = ("-nowarn",),
):
    """Run the compiler.

    Raises
    ------
    RuntimeError
        With what it said, when it refuses a source.
    """
    command = [
        java_home() / "bin" / "javac",
        *options,
        "-d",
        folder,
        "-cp",
        os.pathsep.join(map(str, class_path)),
        *sources,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"javac: {done.stderr}")


@cache
def classes_of(sources: tuple[Path, ...], class_path: tuple[Path, ...]) -> Path:
    """Return the folder of the classes of these sources: a process compiles them once, and deletes
    them when it ends.
    """
    folder = Path(tempfile.mkdtemp(prefix="evenkeel-classes-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    compile_java(sources, class_path, folder)
    return folder


def build_jar(source: Path, class_path: Iterable[Path], jar: Path) -> Path:
    """Compile one source file into a jar."""
    return _packed([source], class_path, jar)


def broker_jar(folder: Path | str, version: str = KAFKA_VERSION) -> Path:
    """Compile the assignor of `deploy/broker` against a release of Kafka; return its jar, which has
    no time in it: equal sources, equal bytes.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    strict = ["--release", "17", "-Xlint:all", "-Werror"]
    return _packed(
        BROKER_SOURCES,
        kafka_jars("kafka-group-coordinator", version),
        Path(folder, "evenkeel-weighted.jar"),
        strict,
    )


def _packed(
    sources: Iterable[Path],
    class_path: Iterable[Path],
    jar: Path,
    options: Iterable[str] = ("-nowarn",),
) -> Path:
    with (
        tempfile.TemporaryDirectory() as classes,
        zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        compile_java(sources, class_path, Path(classes), options)
        for each in sorted(Path(classes).rglob("*.class")):
            packed.writestr(
                zipfile.ZipInfo(each.relative_to(classes).as_posix()),
                each.read_bytes(),
                zipfile.ZIP_DEFLATED,
            )
    return jar
