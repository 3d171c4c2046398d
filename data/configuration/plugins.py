"""What the administrator says about plug-ins: one table `[plugins.NAME]` of the configuration for each."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from assignors import ASSIGNORS
from assignors.figures.comparison import CURRENT
from data.errors import SnapshotError

_UNITS = {"s": 1.0, "m": 60.0}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
Text = Annotated[str, msgspec.Meta(min_length=1)]


class PluginSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_name": "class"}):
    """One assignor from a jar.

    Parameters
    ----------
    jars : tuple of str
        Paths of the class and of what it needs; without Kafka's own client classes in them, those come from the package registry.
    class_name : str
        A `ConsumerPartitionAssignor`, by its full name.
    memory : str
        Limit of its Java heap.
    time_limit : str
        How long one answer may take, such as `5s`.
    settings : dict
        What the class is configured with; it gets every value as a string, as from a properties file.
    """

    jars: tuple[Text, ...]
    class_name: Annotated[str, msgspec.Meta(pattern=r"^[\w$]+(\.[\w$]+)*$")]
    memory: Annotated[str, msgspec.Meta(pattern=r"^[1-9]\d*[kmgKMG]$")] = "256m"
    time_limit: Annotated[str, msgspec.Meta(pattern=r"^\d+(\.\d+)?[sm]$")] = "5s"
    settings: dict[str, str | int | float | bool] = {}

    @property
    def time_limit_seconds(self) -> float:
        """`time_limit` as a number."""
        return float(self.time_limit[:-1]) * _UNITS[self.time_limit[-1]]


def plugins_of(tables: Mapping[str, Any], file: Path) -> dict[str, PluginSettings]:
    """Read the table `plugins` of a configuration that is already parsed; without it there are none. Relative jars are beside the file.

    Raises
    ------
    SnapshotError
        For an unknown key, a wrong value, or a name that is taken or that no table has room for, by file and path.
    """
    plugins = tables.get("plugins", {})
    if not isinstance(plugins, dict):
        raise SnapshotError(f"{file}: plugins is {plugins!r}, expected one table [plugins.NAME] for each")
    return {name: _settings(f"{file}: plugins.{name}", name, table, file.parent) for name, table in plugins.items()}


def _settings(place: str, name: str, table: Any, folder: Path) -> PluginSettings:
    if not _NAME.fullmatch(name):
        raise SnapshotError(f"{place}: the name has other characters than letters, digits, '.', '_' and '-', or more than 40")
    if name.lower() in {CURRENT, *ASSIGNORS}:
        raise SnapshotError(f"{place}: {name.lower()} is a name of Evenkeel's own, expected another")
    try:
        settings = msgspec.convert(table, PluginSettings)
    except msgspec.ValidationError as error:
        raise SnapshotError(f"{place}: {error}") from None
    return msgspec.structs.replace(settings, jars=tuple(str(folder / Path(jar).expanduser()) for jar in settings.jars))
