"""The settings of an installation, with their defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.conversion import (
    ByteCount,
    Duration,
    Number,
)
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.configuration.rights import (
    AuditSettings,
    LoginSettings,
    Right,
)
from evenkeel.data.group.budget import COMMAND_LINE, Budget
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots.retention import Retention

LAKE = "~/.local/share/evenkeel"
Setting = Annotated[
    str | dict[str, str] | None,
    msgspec.Meta(description='a string, {env = "NAME"} or {file = "path"}'),
]
Host = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?\Z",
        description=(
            'a name or an address, with or without a port, such as "evenkeel.example.com" or'
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
    """An assignor from a jar.

    Parameters
    ----------
    jars : tuple of str
        Paths of the class and its dependencies; missing classes of Kafka's client are downloaded
        from the package registry.
    class_name : str
        The full name of a `ConsumerPartitionAssignor`.
    memory : str
        Limit of the JVM's heap.
    time_limit : Duration
        Time limit of one answer.
    settings : dict
        The class's configuration; it gets all values as strings, as from a properties file.
    """

    jars: tuple[_Jar, ...]
    class_name: _Class
    memory: _Memory = "256m"
    time_limit: Duration = Duration(seconds=5)
    settings: dict[str, str | int | float | bool] = {}


OF_GROUP = "see"
AUDIENCES = ["link", "login", OF_GROUP]
"""Who may open a share, widest first: everybody with the link, logged-in people, or people who may
see its group.
"""


class ShareSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of shares.

    Parameters
    ----------
    keep : Duration
        Default time until a share expires.
    choices : tuple of Duration
        Other times that the author of a share may choose.
    never : bool
        Whether the author may choose that the share never expires.
    size : ByteCount
        Compressed bytes of one share.
    per_day : int
        Shares that one browser may make in 24 hours.
    widest : str
        The largest audience that the author may choose, one of `AUDIENCES`.
    """

    keep: Duration = Duration(days=30)
    choices: tuple[Duration, ...] = (Duration(days=1), Duration(days=7), Duration(days=30))
    never: bool = False
    size: ByteCount = ByteCount(16 * 10**6)
    per_day: Number = 100
    widest: Literal["link", "login", "see"] = "link"

    @property
    def audiences(self) -> list[str]:
        """The audiences that the author of a share may choose, largest first."""
        return AUDIENCES[AUDIENCES.index(self.widest) :]

    @property
    def expiries(self) -> list[timedelta | None]:
        """The expiry times that an author of a share may choose, shortest first; None is never."""
        return [*sorted({self.keep, *self.choices}), *([None] if self.never else [])]


@dataclass(frozen=True)
class Configuration:
    """All settings of an installation.

    `lake`: place of the lake. `storage`: obstore's options for object storage, for every lake and
    all inputs. `keep_uploads`: lifetime of an upload. `retention`: lifetime of a collector's
    snapshots. `clusters`: settings as in the file, by cluster. `free_form`: whether pages accept a
    cluster's address. `weights`: the brokers' file of weights, by cluster. `nudge`: whether
    `evenkeel nudge` may join groups. `budget`: limits of one request on pages and in the API;
    `command_line`: limits of a command. `memory_bytes`, `time_limit`: limits of a separate process.
    `cache_bytes`: memory of all caches of pages. `request_bytes`: limit of the body of a request to
    `/api`. `body_bytes`: limit of all concurrent bodies. `upload_bytes`: limit of all sessions'
    files. `without_spark_bytes`: Spark reads only uploads above this size; 0: Spark reads all
    uploads. `hosts`: host names of the server, optionally with a port. `gain`: least gain for which
    a switch of assignor is advised, 0 to 1. `findings`: limits of rules over time, and ignored
    findings. `alerts`: alert rules. `member_series`: maximum count of member series in `/metrics`,
    0 for none. `login`: None without logins. `rights`: readers' rights. `audit`: where the audit is
    written. `plugins`: settings of plug-ins, by name. `shares`: limits of shares. `database_url`:
    the database of shares with its password, None for a file of SQLite.
    """

    lake: Place = place_of(LAKE)
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
        """Whether readers must log in; otherwise everybody may do everything."""
        return self.login is not None or bool(self.rights)
