"""Reads a scenario from JSON; an error message names the path of the wrong value."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import FORMAT as GROUP_FORMAT
from evenkeel.data.group.document import STREAMS_FORMAT, decode, decode_application
from evenkeel.data.group.document.parsing import doubled_key
from evenkeel.data.group.document.shape import require_client
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS, AnyApplicationEdit
from evenkeel.data.scenarios.edits import EDITS, AnyEdit
from evenkeel.data.scenarios.scenario.scenario import (
    FORMAT,
    MOST_STEPS,
    ApplicationScenario,
    ApplicationSettings,
    Scenario,
    Settings,
    Step,
)

_FORMAT = re.compile(rb'"format"\s*:\s*"evenkeel\.scenario/')
_NAMED = 4096


class _Raw(msgspec.Struct, forbid_unknown_fields=True):
    """A scenario whose `group` is not decoded yet.

    The group is decoded separately, so that an error message names the path inside the group
    document.
    """

    format: str
    group: msgspec.Raw
    name: str | None = None
    settings: object = None
    steps: list | None = None


class _RawGroup(_Raw, forbid_unknown_fields=True):
    settings: Settings | None = None
    steps: list[Step[AnyEdit]] | None = None


class _RawApplication(_Raw, forbid_unknown_fields=True):
    settings: ApplicationSettings | None = None
    steps: list[Step[AnyApplicationEdit]] | None = None


class _Group(msgspec.Struct):
    """The keys of a scenario's `group` from which Evenkeel recognises the format of the group."""

    format: str


class _Scenario(msgspec.Struct):
    group: _Group


def is_scenario(text: bytes) -> bool:
    """Return whether a text has the format of a scenario."""
    if text.lstrip()[:1] != b"{" or not _FORMAT.search(text):
        return False
    try:
        head = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return bool(_FORMAT.search(text[:_NAMED]))
    return isinstance(head, dict) and str(head.get("format", "")).startswith("evenkeel.scenario/")


def decode_scenario(text: bytes) -> Scenario:
    """Read one scenario of a group.

    Raises
    ------
    SnapshotError
        If a value breaks the contract. The message names the path, value and expected value.
    """
    if is_of_application(text):
        raise SnapshotError(
            "$.group: a streams document; `evenkeel replay` and POST /api/scenarios answer it,"
            " expected a group document"
        )
    raw = _raw_scenario(text, _RawGroup, EDITS, GROUP_FORMAT)
    settings = raw.settings or Settings()
    if settings.client is not None:
        require_client("$.settings.client", settings.client)
    return Scenario(
        raw.format, _decoded_group(raw.group, decode), raw.name, settings, raw.steps or []
    )


def decode_any_scenario(text: bytes) -> Scenario | ApplicationScenario:
    """Read one scenario, of a group or of an application.

    Raises
    ------
    SnapshotError
        If a value breaks the contract. The message names the path, value and expected value.
    """
    if not is_of_application(text):
        return decode_scenario(text)
    raw = _raw_scenario(text, _RawApplication, APPLICATION_EDITS, STREAMS_FORMAT)
    application = _decoded_group(raw.group, decode_application)
    return ApplicationScenario(
        raw.format, application, raw.name, raw.settings or ApplicationSettings(), raw.steps or []
    )


def is_of_application(text: bytes) -> bool:
    """Return whether the group of a scenario is a streams document."""
    try:
        return msgspec.json.decode(text, type=_Scenario).group.format == STREAMS_FORMAT
    except (ValueError, RecursionError):
        return False


def _raw_scenario(text: bytes, shape: type[_Raw], edits: Iterable[str], group_format: str) -> Any:
    """Return a scenario whose group is not decoded yet; `edits`: names of the allowed edits.

    Raises
    ------
    SnapshotError
        If a value outside the group breaks the contract.
    """
    try:
        raw = msgspec.json.decode(text, type=shape)
        doubled = doubled_key(text.replace(bytes(raw.group), b"null"))
    except msgspec.ValidationError as error:
        raise SnapshotError(_refusal(str(error), edits, group_format)) from None
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"not JSON: {error}") from None
    if doubled:
        raise SnapshotError(f"{doubled}: the key appears twice, expected once")
    if raw.format != FORMAT:
        raise SnapshotError(f'$.format: found "{raw.format}", expected "{FORMAT}"')
    if raw.steps and len(raw.steps) > MOST_STEPS:
        raise SnapshotError(
            f"$.steps: found {len(raw.steps):,} steps, expected at most {MOST_STEPS:,}"
        )
    return raw


def _decoded_group(raw: msgspec.Raw, decoder: Callable[[bytes], Any]) -> Any:
    """Decode the group of a scenario; error messages name the path in the scenario."""
    try:
        return decoder(bytes(raw))
    except SnapshotError as error:
        message = str(error)
        raise SnapshotError(
            f"$.group{message[1:]}" if message.startswith("$") else f"$.group: {message}"
        ) from None


def _refusal(complaint: str, edits: Iterable[str], group_format: str) -> str:
    complaint_text, _, place = complaint.partition(" - at `")
    path = place.removesuffix("`") or "$"
    if "Invalid value" in complaint_text and path.endswith(".op"):
        return (
            f"{path}: found {complaint_text.removeprefix('Invalid value ')}, expected one of"
            f" {', '.join(edits)}"
        )
    return (
        f"{path}: {complaint_text[0].lower()}{complaint_text[1:]}, expected a scenario {FORMAT}"
        f" with a group {group_format}, settings and steps"
    )
