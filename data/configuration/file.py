"""The tables and settings of the configuration file; `reading.py` reads it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.assignors.protocol import CURRENT
from evenkeel.data.configuration.alert_rules import AlertRule, checked_rules
from evenkeel.data.configuration.conversion import (
    ByteCount,
    Duration,
    Number,
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
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import COMMAND_LINE, Budget
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots.retention import Retention

_LAKE = "~/.local/share/evenkeel"
_OF_S3 = {
    "endpoint": "endpoint",
    "region": "region",
    "access_key": "access_key_id",
    "secret_key": "secret_access_key",
}
"""Keys of `[lake]` for `s3://`, and what obstore calls them."""

_ENDPOINT = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#@]*)?", re.ASCII)
_Setting = Annotated[
    str | dict[str, str] | None,
    msgspec.Meta(description='a string, {env = "NAME"} or {file = "path"}'),
]
_Host = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?\Z",
        description=(
            'a name or address, perhaps with a port, such as "evenkeel.example.com" or'
            ' "10.4.1.17:8501"'
        ),
    ),
]

_Jar = Annotated[str, msgspec.Meta(min_length=1, description="the path of a jar")]
_Class = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[\w$]+(\.[\w$]+)*$",
        description="the full name of a class, such as com.example.OurAssignor",
    ),
]
_Memory = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[1-9]\d*[kmgKMG]$", description='a number and k, m or g, such as "256m"'
    ),
]


class PluginSettings(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_name": "class"}
):
    """One assignor from a jar.

    Parameters
    ----------
    jars : tuple of str
        Paths of the class and of its dependencies; without Kafka's own client classes in them,
        those come from the package registry.
    class_name : str
        A `ConsumerPartitionAssignor`, by its full name.
    memory : str
        Limit of its Java heap.
    time_limit : Duration
        How long one answer may take.
    settings : dict
        What the class is configured with; it gets every value as a string, as from a properties
        file.
    """

    jars: tuple[_Jar, ...]
    class_name: _Class
    memory: _Memory = "256m"
    time_limit: Duration = Duration(seconds=5)
    settings: dict[str, str | int | float | bool] = {}


OF_GROUP = "see"
AUDIENCES = ["link", "login", OF_GROUP]
"""Who may open a share, the widest first: everybody with the link, logged-in people, readers of its
group.
"""


class ShareSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of shares.

    Parameters
    ----------
    keep : Duration
        After which a share expires if its author chooses nothing.
    choices : tuple of Duration
        The other times that an author may choose.
    never : bool
        Whether an author may choose that a share never expires.
    size : ByteCount
        Compressed bytes of one share.
    per_day : int
        Shares that one browser may make in 24 hours.
    widest : str
        The widest circle to which an author may open a share: people with the link, logged-in
        people, or people who may see the group.
    """

    keep: Duration = Duration(days=30)
    choices: tuple[Duration, ...] = (Duration(days=1), Duration(days=7), Duration(days=30))
    never: bool = False
    size: ByteCount = ByteCount(16 * 10**6)
    per_day: Number = 100
    widest: Literal["link", "login", "see"] = "link"

    @property
    def audiences(self) -> list[str]:
        """The circles that an author may choose, the widest first."""
        return AUDIENCES[AUDIENCES.index(self.widest) :]

    @property
    def expiries(self) -> list[timedelta | None]:
        """The times that an author may choose, shortest first; None: never, if allowed."""
        return [*sorted({self.keep, *self.choices}), *([None] if self.never else [])]


@dataclass(frozen=True)
class Configuration:
    """The settings that pages and commands read.

    `lake`: the place of the lake. `storage`: how obstore reaches object storage, also for another
    lake and for inputs. `keep_uploads`: how long an upload stays. `retention`: how long snapshots
    of a collector stay. `clusters`: settings by cluster name, as written. `free_form`: whether
    pages take the address of a cluster. `weights`: the file that brokers of a cluster read, by
    cluster. `nudge`: whether `evenkeel nudge` may join groups. `budget`: limits of one question on
    pages and in the API; `command_line`: of a command. `memory_bytes`, `time_limit`: limits of a
    process of its own. `cache_bytes`: memory of everything that the pages keep. `request_bytes`:
    body of one request to `/api`. `body_bytes`: bodies of all requests that are read at once.
    `upload_bytes`: files that all sessions hold or send. `without_spark_bytes`: up to here an
    upload is read by one process of its own, 0 for none. `hosts`: names of the server, each perhaps
    with a port. `gain`: part of 1 from which on a switch is worth it. `findings`: limits of rules
    over time, and ignored ones. `alerts`: rules of messages. `member_series`: how many series
    `/metrics` may have of members, 0 for none. `login`: None if nobody needs one. `rights`: who may
    do what. `audit`: where it is written. `plugins`: by name. `shares`: limits of shares.
    `database_url`: the database of shares with its password, None for a file of SQLite.
    """

    lake: Place = place_of(_LAKE)
    storage: Mapping[str, str] = field(default_factory=dict, repr=False)
    keep_uploads: timedelta = timedelta(hours=24)
    retention: Retention = Retention()
    clusters: Mapping[str, Any] = field(default_factory=dict)
    free_form: bool = False
    weights: Mapping[str, Path] = field(default_factory=dict)
    nudge: bool = False
    budget: Budget = Budget()
    command_line: Budget = COMMAND_LINE
    memory_bytes: int = 3 * 10**9
    time_limit: timedelta = timedelta(seconds=20)
    cache_bytes: int = 10**9
    request_bytes: int = 32 * 10**6
    body_bytes: int = 64 * 10**6
    upload_bytes: int = 420 * 10**6
    without_spark_bytes: int = 64 * 10**6
    hosts: tuple[str, ...] = ()
    gain: float = GAIN
    findings: FindingSettings = FindingSettings()
    alerts: tuple[AlertRule, ...] = ()
    member_series: int = 0
    plugins: Mapping[str, PluginSettings] = field(default_factory=dict)
    shares: ShareSettings = ShareSettings()
    login: LoginSettings | None = field(default=None, repr=False)
    rights: tuple[Right, ...] = ()
    audit: AuditSettings | None = None
    database_url: str | None = field(default=None, repr=False)

    @property
    def is_closed(self) -> bool:
        """Whether readers must say who they are; else everybody may do everything."""
        return self.login is not None or bool(self.rights)


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
    hosts: tuple[_Host, ...] = Configuration.hosts


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
    """Return the configuration of a file that is already parsed; `lake`: a folder or URL that
    overrides the file's.

    Raises
    ------
    SnapshotError
        For an unknown key or a wrong value, by file and key.
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
    """Return the line of a wrong right or provider, which its message names by number."""
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
        # obstore puts them into headers and addresses, and ends the process's thread over what does
        # not fit.
        if not value.isprintable():
            raise SnapshotError(
                f"lake.{name} holds a line end or another control character, expected none"
            )
        if name == "endpoint" and not _ENDPOINT.fullmatch(value):
            raise SnapshotError(
                "lake.endpoint is no address, expected one such as https://s3.example.com:9000,"
                " without a user"
            )
    return {_OF_S3[name]: value for name, value in values.items()}


def _lake(overriding: str | None, path: str, storage: Mapping[str, str]) -> Place:
    """Return the place of the lake; an unusable place is refused by the name of its setting,
    because a URL may hold a password.
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


# What the administrator says about plug-ins: one table `[plugins.NAME]` of the configuration for
# each.


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def checked(plugins: Mapping[str, PluginSettings], folder: Path) -> dict[str, PluginSettings]:
    """Return the plug-ins with the paths of their jars; relative paths start in `folder`.

    Raises
    ------
    SnapshotError
        If a name is already used, or too long for a table.
    """
    for name in plugins:
        if not _NAME.fullmatch(name):
            raise SnapshotError(
                f"plugins.{name}: the name has other characters than letters, digits, '.', '_' and"
                " '-', or more than 40"
            )
        if name.lower() in {CURRENT, *ASSIGNORS}:
            raise SnapshotError(
                f"plugins.{name}: {name.lower()} is a name of Evenkeel's own, expected another"
            )
    return {name: _with_paths(settings, folder) for name, settings in plugins.items()}


def _with_paths(settings: PluginSettings, folder: Path) -> PluginSettings:
    return msgspec.structs.replace(
        settings, jars=tuple(str(folder / Path(jar).expanduser()) for jar in settings.jars)
    )
