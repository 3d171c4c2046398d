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


def compile_java(sources: Iterable[Path], class_path: Iterable[Path], folder: Path):
    """Run the compiler.

    Raises
    ------
    RuntimeError
        With what it said, when it refuses a source.
    """
    command = [java_home() / "bin" / "javac", "-nowarn", "-d", folder, "-cp", os.pathsep.join(map(str, class_path)), *sources]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"javac: {done.stderr}")


@cache
def classes_of(sources: tuple[Path, ...], class_path: tuple[Path, ...]) -> Path:
    """Return the folder of the classes of these sources: a process compiles them once, and deletes them when it ends."""
    folder = Path(tempfile.mkdtemp(prefix="evenkeel-classes-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    compile_java(sources, class_path, folder)
    return folder


def build_jar(source: Path, class_path: Iterable[Path], jar: Path) -> Path:
    """Compile one source file into a jar."""
    with tempfile.TemporaryDirectory() as classes, zipfile.ZipFile(jar, "w") as packed:
        compile_java([source], class_path, Path(classes))
        for each in sorted(Path(classes).rglob("*.class")):
            packed.write(each, each.relative_to(classes))
    return jar
