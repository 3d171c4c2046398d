"""Hashes of a scenario and of its answers: SHA-256 of canonical JSON (RFC 8785)."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import rfc8785

from data.scenarios.scenario.scenario import Scenario

_EXACT = 2**53 - 1
"""RFC 8785 writes integers as JavaScript does; larger ones are written as text."""

# Long integers and fractions, also where they only stand inside a text. Control characters: JSON has two ways to write some of them.
_NEEDS_CARE = re.compile(rb"(?:^|[:,\[])-?(?:\d{16}|\d+[.eE])|\\u|\x7f")


def content_hash(scenario: Scenario) -> str:
    """Return the hash of group, settings and steps without names; edits that are off do not count."""
    steps = [{"edits": [msgspec.to_builtins(edit) for _, edit in step.edits_on]} for step in scenario.steps]
    group, settings = msgspec.to_builtins(scenario.group), msgspec.to_builtins(scenario.settings)
    return _sha256({"group": group, "settings": settings, "steps": steps})


def result_hash(answers: Iterable[Mapping[str, Any]]) -> str:
    """Return the hash of every answer of every assignor at every step, in order: step, assignor, assignment, withheld, error."""
    return _sha256([dict(each) for each in answers])


def canonical(value: Any) -> bytes:
    """Return canonical JSON (RFC 8785); integers that JavaScript would round are text."""
    # The library takes a second for 100,000 partitions. Where all is ASCII and every number a short integer, sorted keys are all it does.
    text = msgspec.json.encode(value, order="sorted")
    if text.isascii() and not _NEEDS_CARE.search(text):
        return text
    try:
        return rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return rfc8785.dumps(_as_text(value))


def _sha256(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def _as_text(value: Any) -> Any:
    """Return a value whose integers beyond `_EXACT` are text."""
    if isinstance(value, Mapping):
        return {key: _as_text(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_text(each) for each in value]
    return str(value) if isinstance(value, int) and abs(value) > _EXACT else value
