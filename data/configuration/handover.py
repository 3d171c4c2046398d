"""Secrets for child processes.

The environment of a child process contains no secrets, because /proc shows the environment. Spark's
Python workers request the secrets from the process that started Spark's JVM.

A variable is secret if `evenkeel.toml` has it as `{env = "NAME"}`, or if its name looks like a
secret. Variables of Spark and Hadoop are not removed.
"""

import json
import os
import re
import socket
import struct
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from evenkeel.data.configuration.reading import written
from evenkeel.data.errors import SnapshotError

_SECRET = re.compile(
    "PASSWORD|PASSWD|SECRET|TOKEN|CREDENTIAL|ACCESS_KEY|API_KEY|DATABASE_URL", re.IGNORECASE
)
_OF_SPARK = re.compile("_?(PY)?SPARK|HADOOP|YARN")
_NEEDED_BY_PAGES_ALONE = "EVENKEEL_DATABASE_URL"
_SOCKET = "EVENKEEL_HANDOVER"
_LONGEST_PATH = 100
"""Bytes; systems limit the path of a socket to 103 to 107."""


def without_secrets(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of a child process, without secrets."""
    secret = secrets_of(environment)
    return {
        name: value
        for name, value in environment.items()
        if name not in secret and name != _NEEDED_BY_PAGES_ALONE
    }


def secrets_of(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the secret variables that a child process needs for clusters or the lake.

    The parent writes them into a pipe.
    """
    named = set(_named(environment))
    return {
        name: value
        for name, value in environment.items()
        if name in named
        or (_SECRET.search(name) and not _OF_SPARK.match(name) and name != _NEEDED_BY_PAGES_ALONE)
    }


def for_workers(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment for a JVM that starts Python workers on this machine.

    The workers get secrets from a socket in the private folder `folder`.
    """
    return without_secrets(environment) | {_SOCKET: _waiting(folder)}


@cache
def take_over() -> None:
    """Get the secrets, once, from the Evenkeel process that started Spark's JVM.

    So no file and no process list contains secrets.
    """
    if path := os.environ.get(_SOCKET):
        with suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as asking:
            asking.connect(path)
            with asking.makefile("rb") as answer:
                os.environ.update(json.load(answer))


def _named(environment: Mapping[str, str]) -> Iterator[str]:
    with suppress(SnapshotError):
        yield from _references(written(environment))


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(name := value.get("env"), str):
            yield name
        for inside in value.values():
            yield from _references(inside)


@cache
def _waiting(folder: Path) -> str:
    path = str(folder / "handover")
    if len(os.fsencode(path)) > _LONGEST_PATH:
        path = str(Path(tempfile.mkdtemp(prefix="evenkeel-spark-", dir="/tmp")) / "handover")
    waiting = socket.socket(socket.AF_UNIX)
    waiting.bind(path)
    waiting.listen()
    threading.Thread(target=_answer, args=(waiting,), name="handover", daemon=True).start()
    return path


def _answer(waiting: socket.socket) -> None:
    while True:
        # If a worker has ended in the meantime, this thread continues.
        with suppress(OSError), waiting.accept()[0] as asking:
            if _is_own(asking):
                asking.sendall(json.dumps(secrets_of()).encode())


def _is_own(asking: socket.socket) -> bool:
    """Return whether the process at the other end of the socket belongs to the same user.

    Some systems cannot answer. Then return True; the folder's permissions exclude other users.
    """
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    _, user, _ = struct.unpack(
        "3i", asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    )
    return user == os.getuid()
