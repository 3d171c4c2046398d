"""The Java that runs Spark: a JDK 17 or newer with the module jdk.incubator.vector."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from evenkeel.data.configuration.handover import without_secrets
from evenkeel.data.errors import SnapshotError

# Spark's launcher needs this module; Java from the Python package index does not have it.
_MODULE = re.compile(r"^jdk\.incubator\.vector@(\d+)", re.MULTILINE)
_FOLDERS = (
    "/usr/lib/jvm/*",
    "/opt/homebrew/opt/openjdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
)


@cache
def java_home() -> Path:
    """Return the folder of a suitable JDK: from JAVA_HOME, from PATH, or from the usual folders.

    Raises
    ------
    SnapshotError
        If there is no suitable JDK; the message has the command to install one.
    """
    for home in _candidates():
        if _suits(home):
            return home
    install = (
        "brew install openjdk@21"
        if sys.platform == "darwin"
        else "sudo apt-get install default-jdk-headless"
    )
    raise SnapshotError(
        "missing: a JDK 17 or newer with the module jdk.incubator.vector; install it with:"
        f" {install}"
    )


def _candidates() -> Iterator[Path]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"])
    if java := shutil.which("java"):
        yield Path(java).resolve().parents[1]
    for folder in _FOLDERS:
        root = Path(folder.split("*")[0]).parent if "*" in folder else Path(folder)
        yield from sorted(root.glob(str(Path(folder).relative_to(root))), reverse=True)


def _suits(home: Path) -> bool:
    try:
        command = [str(home / "bin" / "java"), "--list-modules"]
        listed = subprocess.run(
            command, env=without_secrets(), capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    match = _MODULE.search(listed)
    return match is not None and int(match[1]) >= 17
