"""Kafka's own jars, from the package registry into a cache folder, once."""

import importlib.util
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from evenkeel.data.configuration.handover import without_secrets
from evenkeel.data.configuration.java import java_home
from evenkeel.data.errors import SnapshotError

KAFKA_VERSION = "4.3.1"
"""The release whose classes run in plug-ins and judge the tests."""

_TIME_LIMIT_SECONDS = 300


def kafka_jars(
    artifact: str, version: str = KAFKA_VERSION, organisation: str = "org.apache.kafka", *, is_alone: bool = False
) -> list[Path]:
    """Return the jars of one artifact and of what it needs at run time, downloading them the first time; `is_alone`: its own jar only.

    Raises
    ------
    SnapshotError
        When they cannot be had, with the last line of what the download said.
    """
    folder = cache_folder() / f"{artifact}-{version}{'-alone' if is_alone else ''}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as unfinished:
            _download(organisation, artifact, version, Path(unfinished), ["-notransitive"] if is_alone else [])
            _publish(Path(unfinished, "jars"), folder)
    return sorted(folder.glob("*.jar"))


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where Evenkeel keeps what it can fetch again."""
    return Path(environment.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "evenkeel"


def spark_jars() -> Path:
    """Return the folder of the jars that PySpark carries, without importing it."""
    return Path(importlib.util.find_spec("pyspark").submodule_search_locations[0], "jars")


def _download(organisation: str, artifact: str, version: str, folder: Path, options: Sequence[str]):
    ivy = next(spark_jars().glob("ivy-*.jar"))
    command = [java_home() / "bin" / "java", "-jar", ivy, "-cache", folder / "ivy", "-dependency", organisation, artifact, version]
    command += [*options, "-confs", "default", "-retrieve", f"{folder}/jars/[artifact]-[revision](-[classifier]).[ext]"]
    try:
        done = subprocess.run(command, env=without_secrets(), capture_output=True, text=True, timeout=_TIME_LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise SnapshotError(
            f"{organisation}:{artifact}:{version}: no answer from the package registry in {_TIME_LIMIT_SECONDS} s"
        ) from None
    if done.returncode or not (folder / "jars").is_dir():
        said = [line.strip() for line in done.stdout.splitlines() if "UNRESOLVED" in line or "FAILED" in line or "not found" in line] or [
            done.stderr.strip()
        ]
        raise SnapshotError(
            f"{organisation}:{artifact}:{version}: not in the package registry, or the registry cannot be reached: {said[0]}"
        )


def _publish(finished: Path, folder: Path):
    try:
        finished.rename(folder)
    except OSError:
        if not folder.is_dir():  # another process was faster: its copy is as good
            raise
