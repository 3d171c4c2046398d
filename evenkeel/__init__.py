"""Kafka consumer groups: partition owners, lag, and the assignment that each assignor would make.

    import evenkeel

    group = evenkeel.read("describe.txt", "members.txt").group("payments")
    table = group.compare()
    print(table.diagnosis)

Evenkeel sends only describe, list and offset requests to Kafka. `docs/library.md` is the reference.
A module is loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenkeel.applications import Application as Application
    from evenkeel.data.errors import SnapshotError as Error
    from evenkeel.diagnosis import Diagnoses as Diagnoses
    from evenkeel.diagnosis import Diagnosis as Diagnosis
    from evenkeel.forensics import Rebalances as Rebalances
    from evenkeel.forensics import rebalances as rebalances
    from evenkeel.groups import Group as Group
    from evenkeel.readiness import Readiness as Readiness
    from evenkeel.reading import (
        Cluster as Cluster,
    )
    from evenkeel.reading import (
        Reading as Reading,
    )
    from evenkeel.reading import (
        application as application,
    )
    from evenkeel.reading import (
        connect as connect,
    )
    from evenkeel.reading import (
        group as group,
    )
    from evenkeel.reading import (
        read as read,
    )
    from evenkeel.results import (
        Advice as Advice,
    )
    from evenkeel.results import (
        Answer as Answer,
    )
    from evenkeel.results import (
        Best as Best,
    )
    from evenkeel.results import (
        Rows as Rows,
    )
    from evenkeel.results import (
        Sizes as Sizes,
    )
    from evenkeel.results import (
        Table as Table,
    )

_HOMES = {
    "reading": ("read", "group", "application", "connect", "Reading", "Cluster"),
    "groups": ("Group", "Application"),
    "diagnosis": ("Diagnosis", "Diagnoses"),
    "readiness": ("Readiness",),
    "forensics": ("rebalances", "Rebalances"),
    "results": ("Table", "Answer", "Rows", "Advice", "Best", "Sizes"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["Error", "__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name == "Error":
        from evenkeel.data.errors import SnapshotError

        return SnapshotError
    if name == "__version__":
        from importlib.metadata import version

        return version("evenkeel")
    if name in _HOME:
        return getattr(import_module(f"evenkeel.{_HOME[name]}"), name)
    raise AttributeError(f"module 'evenkeel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
