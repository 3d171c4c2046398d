"""The configuration: `evenkeel.toml`, or the file that EVENKEEL_CONFIG names; two environment variables say where data lies.

EVENKEEL_LAKE overrides the lake of the file, EVENKEEL_DATABASE_URL names the database of shares.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import msgspec

from data.budget import COMMAND_LINE, Budget
from data.configuration.conversion import converted
from data.configuration.plugins import PluginSettings, checked
from data.configuration.quantities import ByteCount, Duration, Percentage
from data.configuration.secrets import resolved
from data.configuration.shares import ShareSettings
from data.errors import SnapshotError
from data.lake.place import Place, place_of
from data.lake.slots.retention import Retention

_LAKE = "~/.local/share/evenkeel"
_OF_S3 = {"endpoint": "endpoint", "region": "region", "access_key": "access_key_id", "secret_key": "secret_access_key"}
"""Keys of `[lake]` for `s3://`, and what obstore calls them."""

_Setting = Annotated[str | dict[str, str] | None, msgspec.Meta(description='a string, {env = "NAME"} or {file = "path"}')]


@dataclass(frozen=True)
class Configuration:
    """What pages and commands ask for.

    `lake`: where the lake is. `storage`: how obstore reaches object storage, also for another lake and for inputs. `keep_uploads`: how
    long an upload stays. `retention`: how long snapshots of a collector stay. `clusters`: settings by cluster name, as written.
    `free_form`: whether pages take the address of a cluster. `budget`: what one question may cost on pages and in the
    API; `command_line`: of a command. `memory_bytes`, `time_limit`: what a process of its own may take. `cache_bytes`: memory of everything
    that the pages keep. `request_bytes`: body of one request to `/api`. `gain`: part of 1 from which on a switch is worth it. `plugins`: by
    name. `shares`: limits of shares. `database_url`: the database of shares with its password, None for a file of SQLite.
    """

    lake: Place = place_of(_LAKE)
    storage: Mapping[str, str] = field(default_factory=dict, repr=False)
    keep_uploads: timedelta = timedelta(hours=24)
    retention: Retention = Retention()
    clusters: Mapping[str, Any] = field(default_factory=dict)
    free_form: bool = False
    budget: Budget = Budget()
    command_line: Budget = COMMAND_LINE
    memory_bytes: int = 3 * 10**9
    time_limit: timedelta = timedelta(seconds=20)
    cache_bytes: int = 10**9
    request_bytes: int = 32 * 10**6
    gain: float = 0.1
    plugins: Mapping[str, PluginSettings] = field(default_factory=dict)
    shares: ShareSettings = ShareSettings()
    database_url: str | None = field(default=None, repr=False)


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    """A table of the file."""


class _Lake(_Table):
    path: str = _LAKE
    keep_uploads: Duration = Duration(hours=24)
    compact_after: Duration = Duration(days=1)
    keep_slots: Duration = Duration(days=7)
    keep_thinned: Duration = Duration(days=90)
    endpoint: _Setting = None
    region: _Setting = None
    access_key: _Setting = None
    secret_key: _Setting = None


class _Live(_Table):
    free_form: bool = Configuration.free_form


_Work = Annotated[int, msgspec.Meta(ge=1, description="a whole number, 1 or more")]


class _Cost(_Table):
    group: ByteCount = ByteCount(COMMAND_LINE.group_bytes)
    work: _Work = COMMAND_LINE.work


class _Limits(_Table):
    group: ByteCount = ByteCount(Budget.group_bytes)
    work: _Work = Budget.work
    memory: ByteCount = ByteCount(Configuration.memory_bytes)
    time: Duration = Duration(seconds=Configuration.time_limit.total_seconds())
    command_line: _Cost = msgspec.field(default_factory=_Cost)
    cache: ByteCount = ByteCount(Configuration.cache_bytes)
    request: ByteCount = ByteCount(Configuration.request_bytes)


class _Advice(_Table):
    gain: Percentage = Percentage(Configuration.gain)


class _File(_Table):
    lake: _Lake = msgspec.field(default_factory=_Lake)
    clusters: dict[str, Any] = {}
    live: _Live = msgspec.field(default_factory=_Live)
    limits: _Limits = msgspec.field(default_factory=_Limits)
    advice: _Advice = msgspec.field(default_factory=_Advice)
    plugins: dict[str, PluginSettings] = {}
    shares: ShareSettings = ShareSettings()


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
    chosen = configuration_of(tables, path, environment.get("EVENKEEL_LAKE"))
    return replace(chosen, database_url=environment.get("EVENKEEL_DATABASE_URL") or None)


def configuration_of(tables: Mapping[str, Any], path: Path, lake: str | None = None) -> Configuration:
    """Return the configuration of a file that is already parsed; `lake`: a folder or URL that overrides the file's.

    Raises
    ------
    SnapshotError
        For an unknown key or a wrong value, by file and key.
    """
    try:
        file = converted(tables, _File)
        plugins = checked(file.plugins, path.absolute().parent)
        storage = _storage(file.lake)
        place = place_of(lake or file.lake.path, storage)
    except SnapshotError as error:
        raise SnapshotError(f"{path}: {error}") from None
    return Configuration(
        lake=place,
        storage=storage,
        keep_uploads=file.lake.keep_uploads,
        retention=Retention(file.lake.compact_after, file.lake.keep_slots, file.lake.keep_thinned),
        clusters=file.clusters,
        free_form=file.live.free_form,
        budget=Budget(file.limits.group, file.limits.work),
        command_line=Budget(file.limits.command_line.group, file.limits.command_line.work, COMMAND_LINE.table),
        memory_bytes=file.limits.memory,
        time_limit=file.limits.time,
        cache_bytes=file.limits.cache,
        request_bytes=file.limits.request,
        gain=file.advice.gain,
        plugins=plugins,
        shares=file.shares,
    )


def _storage(lake: _Lake) -> dict[str, str]:
    settings = {ours: getattr(lake, ours) for ours in _OF_S3}
    return {_OF_S3[name]: resolved(f"lake.{name}", value) for name, value in settings.items() if value is not None}


def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SnapshotError(f"EVENKEEL_CONFIG={path}: {error.strerror}") from error
    except ValueError as error:
        raise SnapshotError(f"{path}: not TOML: {error}") from error
