"""What an author hands over, what a reader gets, and what stands in the author's list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

FORMAT = "evenkeel.share/1"


@dataclass(frozen=True)
class Frozen:
    """A scenario and its result with their true names, and what the author says of them.

    `scenario`: the scenario document. `result`: the lines of `evenkeel replay`, the head first. `redact`: kinds of names that leave as
    stand-ins, of `data.shares.redaction.KINDS`. `keep`: after which time the share expires, None for never. `forked_from`: id of a share.
    """

    scenario: Mapping[str, Any]
    result: Sequence[Mapping[str, Any]]
    title: str
    keep: timedelta | None
    note: str = ""
    author: str = ""
    redact: Sequence[str] = ()
    forked_from: str | None = None


class Made(NamedTuple):
    """A share that is on disk: its id, and the secret that deletes it, which is kept nowhere."""

    share_id: str
    delete_secret: str


@dataclass(frozen=True)
class Listed:
    """A share without its payload. `expires_at`: None for never. `byte_count`: compressed."""

    share_id: str
    created_at: datetime
    expires_at: datetime | None
    title: str
    note: str
    author: str
    engine: str
    redacted: tuple[str, ...]
    forked_from: str | None
    byte_count: int


@dataclass(frozen=True)
class Share:
    """A share as it was frozen; of a redacted one, scenario and result have stand-ins, and the head of the result no hashes."""

    about: Listed
    scenario: dict[str, Any]
    result: list[dict[str, Any]]

    def document(self) -> dict[str, Any]:
        """Return the share as JSON values."""
        about = self.about
        return {
            "format": FORMAT,
            "id": about.share_id,
            "title": about.title,
            "note": about.note,
            "author": about.author,
            "created_at": about.created_at,
            "expires_at": about.expires_at,
            "engine": about.engine,
            "redacted": list(about.redacted),
            "forked_from": about.forked_from,
            "scenario": self.scenario,
            "result": self.result,
        }
