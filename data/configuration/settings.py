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
        Paths of the class and its dependencies; missing Kafka client classes come from the package
        registry.
    class_name : str
        A `ConsumerPartitionAssignor`, by its full name.
    memory : str
        Limit of its Java heap.
    time_limit : Duration
        Time limit of one answer.
    settings : dict
        The class's configuration; all values are strings, as in a properties file.
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
        Time to expiry, if a share's author chooses nothing.
    choices : tuple of Duration
        Other times for an author's choice.
    never : bool
        Whether an author may choose that a share never expires.
    size : ByteCount
        Compressed bytes of one share.
    per_day : int
        Shares that one browser may make in 24 hours.
    widest : str
        The widest circle of readers that an author may choose: people with the link, logged-in
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

    `lake`: the place of the lake. `storage`: obstore's options for object storage, also for another
    lake and for inputs. `keep_uploads`: lifetime of an upload. `retention`: lifetime of a
    collector's snapshots. `clusters`: settings by cluster name, as written. `free_form`: whether
    pages accept a cluster's address. `weights`: by cluster, the file that its brokers read.
    `nudge`: whether `evenkeel nudge` may join groups. `budget`: limits of one request on pages and
    in the API; `command_line`: limits of a command. `memory_bytes`, `time_limit`: limits of a
    separate process. `cache_bytes`: memory of everything that the pages keep. `request_bytes`: body
    of one request to `/api`. `body_bytes`: bodies of all concurrent requests. `upload_bytes`: files
    of all sessions. `without_spark_bytes`: uploads up to this size are read by one separate
    process, 0 for none. `hosts`: the server's names, optionally with a port. `gain`: least gain of
    a worthwhile switch, as a part of 1. `findings`: limits of rules over time, and ignored
    findings. `alerts`: rules of messages. `member_series`: limit of member series in `/metrics`, 0
    for none. `login`: None if not needed. `rights`: readers' rights. `audit`: its place. `plugins`:
    by name. `shares`: limits of shares. `database_url`: the database of shares with its password,
    None for a file of SQLite.
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
        """Whether readers must say who they are; else everybody may do everything."""
        return self.login is not None or bool(self.rights)
