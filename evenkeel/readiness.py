"""Whether a group can move to the consumer protocol (KIP-848), and what the move needs.

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
    """Whether a group can move to the consumer protocol, the broker's answer, and each restart.
    `to_dict()` is the object that `evenkeel readiness --json` prints.
    """

    def __init__(self, ready: Ready):
        self._ready = ready

    @property
    def name(self) -> str | None:
        """The group's id."""
        return self._ready.facts.group_id

    @property
    def verdict(self) -> str:
        """The verdict: `blocked`, `unknown`, `note`, `ready`, `done` or `other`."""
        return self._ready.judged.verdict.value

    @property
    def broker(self) -> str | None:
        """How the broker answers the first member that joins with the consumer protocol: `accepts`,
        `refuses` or `unknown`.
        """
        return self._ready.judged.broker.value if self._ready.judged.broker else None

    @property
    def refusal(self) -> str | None:
        """The code of the rule by which the broker refuses a member that joins with the consumer
        protocol; None if the broker does not refuse.
        """
        return self._ready.judged.refusal

    @property
    def reasons(self) -> list[str]:
        """The reasons for the verdict as texts, worst first."""
        return [text(reason, self._ready.names) for reason in self._ready.judged.reasons]

    @property
    def settings(self) -> dict[str, Any]:
        """By client family, the settings that members must add and remove."""
        return self.to_dict()["settings"]

    def steps(self) -> Rows:
        """Return a row for each restart of a member. The row has the number of partitions that move
        when the member stops, when it starts again, and when the group goes back to the classic
        protocol.
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
        """Return the dictionary that `evenkeel readiness --json` prints."""
        return document_of(self._ready)

    def to_json(self) -> str:
        """Return the dictionary of `to_dict` as JSON."""
        return msgspec.json.encode(self.to_dict()).decode()

    def __str__(self) -> str:
        head = f"{self._ready.name}: {VERDICTS[self._ready.judged.verdict]}"
        lines = (
            f"{head}; the broker {self.broker}" if self.broker in ("accepts", "refuses") else head
        )
        return "\n".join(map(printable, [lines, *self.reasons]))

    __repr__ = __str__


def asked_of(
    broker: dict[str, str] | None, clients: dict[str, str] | None, remote_assignor: str | None
) -> Environment:
    """Return facts that are not in the group: brokers, releases, assignor. Raises SnapshotError if
    a fact is invalid.
    """
    settings, versions = dict(broker or {}), dict(clients or {})
    require_versions(versions)
    known = broker_of({key: str(value) for key, value in settings.items()})
    require_remote(remote_assignor, known)
    return Environment(known, versions, remote_assignor)
