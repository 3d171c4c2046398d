"""Readiness for the consumer protocol (KIP-848): verdict, reasons, moves of each restart, and
settings of clients.

evenkeel.connect("production").readiness()
"""

from typing import Any

import msgspec

from evenkeel.data.commands.text import printable
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.environment import (
    Environment,
    broker_of,
    require_remote,
    require_versions,
)
from evenkeel.data.readiness.groups import document_of
from evenkeel.data.readiness.words import VERDICTS, text
from evenkeel.results import Rows


class Readiness:
    """One group: whether it can move, the broker's answer, and every restart. `to_dict()` is the
    line of `--json`.
    """

    def __init__(self, ready: Ready):
        self._found = ready

    @property
    def name(self) -> str | None:
        """The group's id."""
        return self._found.facts.group_id

    @property
    def verdict(self) -> str:
        """`blocked`, `unknown`, `note`, `ready`, `done` or `other`."""
        return self._found.judged.verdict.value

    @property
    def broker(self) -> str | None:
        """What the broker does when the first member with the consumer protocol joins: `accepts`,
        `refuses` or `unknown`.
        """
        return self._found.judged.broker.value if self._found.judged.broker else None

    @property
    def refusal(self) -> str | None:
        """The code of the rule by which the broker refuses."""
        return self._found.judged.refusal

    @property
    def reasons(self) -> list[str]:
        """Every reason in words, the worst first."""
        return [text(reason, self._found.names) for reason in self._found.judged.reasons]

    @property
    def settings(self) -> dict[str, Any]:
        """What members add and remove, by client family."""
        return self.to_dict()["settings"]

    def steps(self) -> Rows:
        """Return a row for each restart: partitions that move when the member stops, when it starts
        again, and on the way back.
        """
        import pyarrow as pa

        moves = ("stopped", "started", "back")
        rows = [
            {
                **step,
                **{f"{key}_moved": step[key] and step[key]["moved"] for key in moves},
                "certain": all(
                    step[key] is None or step[key]["certain"] for key in ("stopped", "started")
                ),
            }
            for step in self.to_dict()["steps"]
        ]
        names = [("step", "int64"), ("member_id", "string"), ("client_id", "string")]
        moved = [(f"{key}_moved", "int64") for key in moves]
        schema = pa.schema([*names, ("static", "bool"), *moved, ("certain", "bool")])
        return Rows(pa.Table.from_pylist(rows, schema))

    def to_dict(self) -> dict[str, Any]:
        """Return the line of `--json`."""
        return document_of(self._found)

    def to_json(self) -> str:
        """Return the same as JSON."""
        return msgspec.json.encode(self.to_dict()).decode()

    def __str__(self) -> str:
        head = f"{self._found.name}: {VERDICTS[self._found.judged.verdict]}"
        lines = (
            f"{head}; the broker {self.broker}" if self.broker in ("accepts", "refuses") else head
        )
        return "\n".join(map(printable, [lines, *self.reasons]))

    __repr__ = __str__


def asked_of(
    broker: dict[str, str] | None, clients: dict[str, str] | None, remote_assignor: str | None
) -> Environment:
    """Return the known facts next to a group; SnapshotError if they are invalid."""
    settings, versions = dict(broker or {}), dict(clients or {})
    require_versions(versions)
    known = broker_of({key: str(value) for key, value in settings.items()})
    require_remote(remote_assignor, known)
    return Environment(known, versions, remote_assignor)
