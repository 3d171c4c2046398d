"""The tables and keys of the configuration file; `reading.py` reads the file."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import CURRENT
from evenkeel.data.configuration.alert_rules import AlertRule, checked_rules
from evenkeel.data.configuration.conversion import (
    ByteCount,
    Duration,
    Percentage,
    converted,
    resolved,
)
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.configuration.rights import (
    AuditSettings,
    LoginSettings,
    Right,
    check,
    in_folder,
    line_of,
    require_login,
)
from evenkeel.data.configuration.settings import (
    LAKE,
    Configuration,
    Host,
    PluginSettings,
    Setting,
    ShareSettings,
)
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import COMMAND_LINE, Budget
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots.retention import Retention

_OF_S3 = {
    "endpoint": "endpoint",
    "region": "region",
    "access_key": "access_key_id",
    "secret_key": "secret_access_key",
}
"""Keys of `[lake]` for `s3://`, and their names in obstore."""

_ENDPOINT = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#@]*)?", re.ASCII)


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    """A table of the file."""


class _Lake(_Table):
    path: str = LAKE
    keep_uploads: Duration = Duration(hours=24)
    compact_after: Duration = Duration(days=1)
    keep_slots: Duration = Duration(days=7)
    keep_thinned: Duration = Duration(days=90)
    endpoint: Setting = None
    region: Setting = None
    access_key: Setting = None
    secret_key: Setting = None


class _Live(_Table):
    free_form: bool = Configuration.free_form
    weights: dict[
        str, Annotated[str, msgspec.Meta(min_length=1, description="the path of a file of weights")]
    ] = {}
    nudge: bool = Configuration.nudge


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
    bodies: ByteCount = ByteCount(Configuration.body_bytes)
    uploads: ByteCount = ByteCount(Configuration.upload_bytes)
    without_spark: ByteCount = ByteCount(Configuration.without_spark_bytes)


class _Server(_Table):
    hosts: tuple[Host, ...] = Configuration.hosts


class _Advice(_Table):
    gain: Percentage = Percentage(Configuration.gain)


class _Metrics(_Table):
    members: Annotated[int, msgspec.Meta(ge=0, description="a whole number of series")] = 0


class _File(_Table):
    lake: _Lake = msgspec.field(default_factory=_Lake)
    clusters: dict[str, Any] = {}
    live: _Live = msgspec.field(default_factory=_Live)
    server: _Server = msgspec.field(default_factory=_Server)
    limits: _Limits = msgspec.field(default_factory=_Limits)
    findings: FindingSettings = FindingSettings()
    alerts: tuple[AlertRule, ...] = ()
    metrics: _Metrics = msgspec.field(default_factory=_Metrics)
    advice: _Advice = msgspec.field(default_factory=_Advice)
    plugins: dict[str, PluginSettings] = {}
    shares: ShareSettings = ShareSettings()
    login: LoginSettings | None = None
    rights: tuple[Right, ...] = ()
    audit: AuditSettings | None = None


def configuration_of(
    tables: Mapping[str, Any], path: Path, lake: str | None = None
) -> Configuration:
    """Return the configuration of a parsed file.

    `lake`: folder or URL that replaces the lake of the file.

    Raises
    ------
    SnapshotError
        If a key is unknown or a value is wrong; the message has the file and the key.
    """
    try:
        file = converted(tables, _File)
        plugins = checked(file.plugins, path.absolute().parent)
        if file.login is not None:
            require_login(file.login)
        check(file.rights)
        alerts = checked_rules(file.alerts)
        storage = _storage(file.lake)
        place = _lake(lake, file.lake.path, storage)
    except SnapshotError as error:
        raise SnapshotError(f"{path}{_line(path, str(error))}: {error}") from None
    return Configuration(
        lake=place,
        storage=storage,
        keep_uploads=file.lake.keep_uploads,
        retention=Retention(file.lake.compact_after, file.lake.keep_slots, file.lake.keep_thinned),
        clusters=file.clusters,
        free_form=file.live.free_form,
        weights={
            cluster: path.absolute().parent / Path(written).expanduser()
            for cluster, written in file.live.weights.items()
        },
        nudge=file.live.nudge,
        budget=Budget(file.limits.group, file.limits.work),
        command_line=Budget(
            file.limits.command_line.group, file.limits.command_line.work, COMMAND_LINE.table
        ),
        memory_bytes=file.limits.memory,
        time_limit=file.limits.time,
        cache_bytes=file.limits.cache,
        request_bytes=file.limits.request,
        body_bytes=file.limits.bodies,
        upload_bytes=file.limits.uploads,
        without_spark_bytes=file.limits.without_spark,
        hosts=file.server.hosts,
        gain=file.advice.gain,
        findings=file.findings,
        alerts=alerts,
        member_series=file.metrics.members,
        plugins=plugins,
        shares=file.shares,
        login=file.login,
        rights=file.rights,
        audit=in_folder(file.audit, path.absolute().parent),
    )


def _line(path: Path, message: str) -> str:
    """Return `, line N`: the line of the right or provider in `message`; empty if unknown."""
    try:
        text = path.read_text(encoding="utf-8")
        line = line_of(text, message)
    except (OSError, ValueError):
        return ""
    return f", line {line}" if line else ""


def _storage(lake: _Lake) -> dict[str, str]:
    settings = {ours: getattr(lake, ours) for ours in _OF_S3}
    values = {
        name: resolved(f"lake.{name}", value)
        for name, value in settings.items()
        if value is not None
    }
    for name, value in values.items():
        # obstore uses the values in headers and addresses; an invalid character ends its thread.
        if not value.isprintable():
            raise SnapshotError(
                f"lake.{name} contains a line end or another control character, expected none"
            )
        if name == "endpoint" and not _ENDPOINT.fullmatch(value):
            raise SnapshotError(
                "lake.endpoint is not an address, expected an address without a user, such as"
                " https://s3.example.com:9000"
            )
    return {_OF_S3[name]: value for name, value in values.items()}


def _lake(overriding: str | None, path: str, storage: Mapping[str, str]) -> Place:
    """Return the place of the lake.

    An error has only the name of the setting, because a URL may contain a password.
    """
    try:
        place = place_of(overriding or path, storage)
        if "@" not in str(place).partition("://")[2].partition("/")[0]:
            return place
    except SnapshotError:
        pass
    name = "EVENKEEL_LAKE" if overriding else "lake.path"
    raise SnapshotError(
        f"{name} is a string, expected a folder, or a URL such as s3://bucket/lake, without a user"
    )


# Plug-ins: tables `[plugins.NAME]` of the configuration.


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def checked(plugins: Mapping[str, PluginSettings], folder: Path) -> dict[str, PluginSettings]:
    """Check the names of the plug-ins, and make the paths of their jars absolute.

    `folder`: start of relative paths.

    Raises
    ------
    SnapshotError
        If a name is already used, is too long, or contains characters that are not allowed.
    """
    for name in plugins:
        if not _NAME.fullmatch(name):
            raise SnapshotError(
                f"plugins.{name}: expected a name of at most 40 letters, digits, '.', '_' and '-'"
            )
        if name.lower() in {CURRENT, *ASSIGNORS}:
            raise SnapshotError(
                f"plugins.{name}: Evenkeel uses the name {name.lower()}, expected another"
            )
    return {name: _with_paths(settings, folder) for name, settings in plugins.items()}


def _with_paths(settings: PluginSettings, folder: Path) -> PluginSettings:
    return msgspec.structs.replace(
        settings, jars=tuple(str(folder / Path(jar).expanduser()) for jar in settings.jars)
    )
