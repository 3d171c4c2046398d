"""Settings that are written by reference: `{env = "NAME"}` or `{file = "path"}`."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evenkeel.data.configuration.conversion import type_found
from evenkeel.data.errors import SnapshotError

_HIDDEN = "***"
_SHORTEST = 4


def resolved(name: str, value: Any, environment: Mapping[str, str] = os.environ) -> str:
    """Return what a setting stands for: itself, or what the variable or file holds, without a line end.

    Raises
    ------
    SnapshotError
        When a reference leads nowhere; the message names the setting alone: a secret may stand where the reference should.
    """
    if not isinstance(value, Mapping):
        if not isinstance(value, str | bool | int | float):
            raise SnapshotError(f"{name} is {type_found(value)}, expected a string")
        # TOML's true arrives as True; the clients take `true`.
        return str(value).lower() if isinstance(value, bool) else str(value)
    (kind, where), *more = value.items() or [("", "")]
    if more or kind not in ("env", "file") or not isinstance(where, str):
        raise SnapshotError(f'{name} is {type_found(value)} of other keys or values, expected {{env = "NAME"}} or {{file = "path"}}')
    if kind == "env":
        if where not in environment:
            raise SnapshotError(f"{name}: the environment variable that it names is not set")
        return environment[where]
    try:
        return Path(where).expanduser().read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, ValueError) as error:
        raise SnapshotError(f"{name}: the file that it names: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None


def hidden(text: str, secrets: list[str]) -> str:
    """Return a text in which secrets are hidden."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _HIDDEN)
    return text
