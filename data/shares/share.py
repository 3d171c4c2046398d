"""A share: what its author gives, what a reader gets, and how the content is stored.

The content is JSON compressed with zstd: a scenario and the lines of its result, or a group's
frozen rebalances.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.frozen import FORMAT as REBALANCES_FORMAT
from evenkeel.data.scenarios.run.walk import FORMAT as RESULT_FORMAT
from evenkeel.data.scenarios.scenario.scenario import FORMAT as SCENARIO_FORMAT

FORMAT = "evenkeel.share/1"


@dataclass(frozen=True)
class Frozen:
    """What the author of a share gives: scenario and result with true names, and texts.

    `scenario`: the scenario document. `result`: all lines of `evenkeel replay`, in order. For
    rebalances, `scenario` and `result` are the values that `data.rebalances.frozen` returns.
    `redact`: kinds of names to replace, from `data.shares.redaction.KINDS`. `keep`: time until the
    share expires, None for never. `forked_from`: id of the share from which this share was made.
    `audience`: an item of the configuration's `AUDIENCES`; None if everybody with the link may open
    the share. `cluster`, `group_id`: the group of the share, stored only if the audience is the
    readers of this group.
    """

    scenario: Mapping[str, Any]
    result: Sequence[Mapping[str, Any]]
    title: str
    keep: timedelta | None
    note: str = ""
    author: str = ""
    redact: Sequence[str] = ()
    forked_from: str | None = None
    audience: str | None = None
    cluster: str | None = None
    group_id: str | None = None


class NewShare(NamedTuple):
    """A new share: its id, and the secret with which it can be deleted.

    Only a hash of the secret is stored.
    """

    share_id: str
    delete_secret: str


@dataclass(frozen=True)
class ShareListing:
    """Facts about a share, without its content.

    `expires_at`: None if the share never expires. `byte_count`: compressed size. `is_own`: whether
    the reader has the share's secret or made the share. `audience`, `cluster`, `group_id`: as in
    `Frozen`.
    """

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
    audience: str | None = None
    cluster: str | None = None
    group_id: str | None = None
    is_own: bool = False


@dataclass(frozen=True)
class Share:
    """A share as a reader gets it.

    A redacted share has stand-ins, and no hashes in the first line of `result`.
    """

    about: ShareListing
    scenario: dict[str, Any]
    result: list[dict[str, Any]]

    def document(self) -> dict[str, Any]:
        """Return the share as a JSON document."""
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


# The payload: scenario and result as JSON, compressed with zstd. A newer Evenkeel's format is
# refused by its name.


_OURS = re.compile(r"(evenkeel\.[a-z]+)/(\d{1,9})", re.ASCII)
_DERIVED = "owned_before"
"""Key of a line whose value equals the `assignment` of the line of the previous step."""


class Payload(NamedTuple):
    """The content of a share: scenario and result."""

    scenario: dict[str, Any]
    result: list[dict[str, Any]]


def checked(scenario: Any, result: Any) -> Payload:
    """Return scenario and result, after a check of their formats.

    Values that can be derived from other values are left out.

    Raises
    ------
    SnapshotError
        If the format is not the format of this Evenkeel. The message names the path.
    """
    is_of_rebalances = isinstance(scenario, Mapping) and scenario.get("format") == REBALANCES_FORMAT
    _require(
        "scenario.format", scenario, REBALANCES_FORMAT if is_of_rebalances else SCENARIO_FORMAT
    )
    if not isinstance(result, Sequence) or not result:
        raise SnapshotError("result: found no lines, expected the lines of evenkeel replay")
    _require(
        "result[0].format", result[0], REBALANCES_FORMAT if is_of_rebalances else RESULT_FORMAT
    )
    lines = [{key: value for key, value in line.items() if key != _DERIVED} for line in result]
    return Payload(dict(scenario), lines)


def compressed(payload: Payload) -> bytes:
    """Return the content of a share as compressed bytes.

    Raises
    ------
    SnapshotError
        If a value cannot be written as JSON.
    """
    try:
        text = msgspec.json.encode(
            {"format": FORMAT, "scenario": payload.scenario, "result": payload.result}
        )
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise SnapshotError(f"scenario or result: no JSON: {error}") from None
    return pa.Codec("zstd").compress(text, asbytes=True)


def opened(data: bytes) -> Payload:
    """Return the content of a share from compressed bytes.

    Raises
    ------
    SnapshotError
        If the format is of a newer Evenkeel, or the bytes are damaged.
    """
    try:
        with pa.input_stream(pa.py_buffer(data), compression="zstd") as stream:
            document = msgspec.json.decode(stream.read())
    except (OSError, ValueError, RecursionError) as error:
        raise SnapshotError(f"the share is damaged: {error}") from None
    _require("format", document, FORMAT)
    return checked(document["scenario"], document["result"])


def _require(path: str, value: Any, expected: str) -> None:
    format_there = value.get("format") if isinstance(value, Mapping) else None
    if format_there == expected:
        return
    newer = _OURS.fullmatch(format_there) if isinstance(format_there, str) else None
    if (
        newer
        and newer[1] == expected.partition("/")[0]
        and int(newer[2]) > int(expected.partition("/")[2])
    ):
        raise SnapshotError(
            f'{path}: found "{format_there}", which a newer Evenkeel wrote; this Evenkeel reads'
            f' "{expected}"'
        )
    raise SnapshotError(f"{path}: found {format_there!r}, expected {expected!r}")
