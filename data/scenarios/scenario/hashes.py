"""Hashes of a scenario and of its answers: SHA-256 of canonical JSON (RFC 8785)."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import rfc8785

from evenkeel.data.document import STREAMS_FORMAT
from evenkeel.data.scenarios.scenario.scenario import Scenario

_EXACT = 2**53 - 1
"""RFC 8785 writes integers as JavaScript does; larger ones are written as text."""

_LONG = b"0" * 16
"""Digits of an integer that may exceed `_EXACT`, all written as 0."""

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_TWO_WAYS = (b"\\u", b"\x7f")
"""Control characters, some of which JSON may write in two ways."""


def content_hash(scenario: Scenario) -> str:
    """Return the hash of group, settings and steps without names; edits that are off do not count."""
    steps = [{"edits": [msgspec.to_builtins(edit) for _, edit in step.edits_on]} for step in scenario.steps]
    # Rates of a streams document are fractional numbers.
    encoded = _exact if scenario.group.format == STREAMS_FORMAT else without_fractions
    group, settings = encoded(msgspec.to_builtins(scenario.group)), msgspec.to_builtins(scenario.settings)
    # Keys of canonical JSON are sorted: an object is its sorted keys with the canonical JSON of each.
    return _sha256(b'{"group":%b,"settings":%b,"steps":%b}' % (group, rfc8785.dumps(settings), _exact(steps)))


def result_hash(answers: Iterable[Mapping[str, Any]]) -> str:
    """Return the hash of every answer of every assignor at every step, in order: step, assignor, assignment, withheld, error."""
    return _sha256(without_fractions([dict(each) for each in answers]))


def without_fractions(value: Any) -> bytes:
    """Return canonical JSON (RFC 8785) of what holds no fractional number; integers that JavaScript would round are text."""
    # The library takes a second for 100,000 partitions. Of ASCII texts and short integers, sorted keys are all that it does.
    text = msgspec.json.encode(value, order="sorted")
    is_plain = text.isascii() and _LONG not in text.translate(_ZEROS) and not any(sign in text for sign in _TWO_WAYS)
    return text if is_plain else _exact(value)


def _exact(value: Any) -> bytes:
    try:
        return rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return rfc8785.dumps(_as_text(value))


def _as_text(value: Any) -> Any:
    """Return a value whose integers beyond `_EXACT` are text."""
    if isinstance(value, Mapping):
        return {key: _as_text(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_text(each) for each in value]
    return str(value) if isinstance(value, int) and abs(value) > _EXACT else value


def _sha256(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
