"""What the administrator says about plug-ins: one table `[plugins.NAME]` of the configuration for each."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.data.configuration.quantities import Duration
from evenkeel.data.errors import SnapshotError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_Jar = Annotated[str, msgspec.Meta(min_length=1, description="the path of a jar")]
_Class = Annotated[
    str, msgspec.Meta(pattern=r"^[\w$]+(\.[\w$]+)*$", description="the full name of a class, such as com.example.OurAssignor")
]
_Memory = Annotated[str, msgspec.Meta(pattern=r"^[1-9]\d*[kmgKMG]$", description='a number and k, m or g, such as "256m"')]


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
    time_limit : Duration
        How long one answer may take.
    settings : dict
        What the class is configured with; it gets every value as a string, as from a properties file.
    """

    jars: tuple[_Jar, ...]
    class_name: _Class
    memory: _Memory = "256m"
    time_limit: Duration = Duration(seconds=5)
    settings: dict[str, str | int | float | bool] = {}


def checked(plugins: Mapping[str, PluginSettings], folder: Path) -> dict[str, PluginSettings]:
    """Return the plug-ins with the paths of their jars; relative ones start in `folder`.

    Raises
    ------
    SnapshotError
        For a name that is taken or that no table has room for.
    """
    for name in plugins:
        if not _NAME.fullmatch(name):
            raise SnapshotError(f"plugins.{name}: the name has other characters than letters, digits, '.', '_' and '-', or more than 40")
        if name.lower() in {CURRENT, *ASSIGNORS}:
            raise SnapshotError(f"plugins.{name}: {name.lower()} is a name of Evenkeel's own, expected another")
    return {name: _with_paths(settings, folder) for name, settings in plugins.items()}


def _with_paths(settings: PluginSettings, folder: Path) -> PluginSettings:
    return msgspec.structs.replace(settings, jars=tuple(str(folder / Path(jar).expanduser()) for jar in settings.jars))
