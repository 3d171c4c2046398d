"""The configuration: `evenkeel.toml`, or the file that EVENKEEL_CONFIG names; EVENKEEL_LAKE overrides the lake's folder."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from data.configuration.plugins import PluginSettings, plugins_of
from data.errors import SnapshotError

_KNOWN = {"lake": {"path", "keep_uploads"}, "clusters": None, "live": {"free_form"}, "limits": {"group", "cache"}, "plugins": None}
_BYTES = {"MB": 10**6, "GB": 10**9}
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True)
class Configuration:
    """`lake`: the folder of the lake. `keep_uploads`: how long an upload stays. `clusters`: settings by cluster name, as written. `free_form`: whether pages take the address of a cluster.
    `group_bytes`: memory that one group may take on the pages; `cache_bytes`: memory of everything that the pages keep. `plugins`: by name."""

    lake: Path = Path("~/.local/share/evenkeel").expanduser()
    keep_uploads: timedelta = timedelta(hours=24)
    clusters: Mapping[str, Any] = field(default_factory=dict)
    free_form: bool = False
    group_bytes: int = 512 * 10**6
    cache_bytes: int = 10**9
    plugins: Mapping[str, PluginSettings] = field(default_factory=dict)


def configuration(environment: Mapping[str, str] = os.environ) -> Configuration:
    """Read the configuration; without a file everything has its default.

    Raises
    ------
    SnapshotError
        For a file that is not there or not TOML, an unknown key or a wrong value, each by name.
    """
    named = environment.get("EVENKEEL_CONFIG")
    path = Path(named or "evenkeel.toml").expanduser()
    tables = _tables(path) if named or path.is_file() else {}
    chosen = _lake(tables.get("lake", {}), path)
    if environment.get("EVENKEEL_LAKE"):
        chosen["lake"] = Path(environment["EVENKEEL_LAKE"]).expanduser()
    chosen |= {f"{key}_bytes": _size(key, value, path) for key, value in tables.get("limits", {}).items()}
    return Configuration(**chosen, clusters=tables.get("clusters", {}), free_form=_free_form(tables.get("live", {}), path), plugins=plugins_of(tables, path.absolute()))


def _tables(path: Path) -> dict[str, Any]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SnapshotError(f"EVENKEEL_CONFIG={path}: {error.strerror}") from error
    except ValueError as error:
        raise SnapshotError(f"{path}: not TOML: {error}") from error
    for name, table in tables.items():
        _check_keys(path, name, table)
    return tables


def _check_keys(path: Path, name: str, table: Any) -> None:
    if name not in _KNOWN:
        raise SnapshotError(f"{path}: unknown key {name!r}, expected one of: {', '.join(_KNOWN)}")
    if not isinstance(table, dict):
        raise SnapshotError(f"{path}: {name} is {table!r}, expected a table")
    unknown = set(table) - (_KNOWN[name] or set(table))
    if unknown:
        raise SnapshotError(f"{path}: unknown key {name}.{min(unknown)}, expected one of: {', '.join(sorted(_KNOWN[name]))}")


def _lake(table: dict[str, Any], path: Path) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for key, value in table.items():
        if not isinstance(value, str):
            raise SnapshotError(f"{path}: lake.{key} is {value!r}, expected a string")
    if "path" in table:
        chosen["lake"] = Path(table["path"]).expanduser()
    if "keep_uploads" in table:
        chosen["keep_uploads"] = _duration(table["keep_uploads"], path)
    return chosen


def _free_form(table: dict[str, Any], path: Path) -> bool:
    allowed = table.get("free_form", False)
    if not isinstance(allowed, bool):
        raise SnapshotError(f"{path}: live.free_form is {allowed!r}, expected true or false")
    return allowed


def _duration(text: str, path: Path) -> timedelta:
    parts = re.fullmatch(r"(\d{1,6})\s*([smhd])", text)
    if not parts:
        raise SnapshotError(f'{path}: lake.keep_uploads is {text!r}, expected a number and s, m, h or d, such as "24h"')
    return timedelta(**{_UNITS[parts[2]]: int(parts[1])})


def _size(key: str, text: Any, path: Path) -> int:
    parts = re.fullmatch(r"(\d{1,6})\s*(MB|GB)", text) if isinstance(text, str) else None
    if not parts:
        raise SnapshotError(f'{path}: limits.{key} is {text!r}, expected a number and MB or GB, such as "512 MB"')
    return int(parts[1]) * _BYTES[parts[2]]
