"""Failure: why a request has no answer."""

import msgspec

from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError
from evenkeel.data.errors import SnapshotError


class Failure(msgspec.Struct, omit_defaults=True):
    """Java's simple name of the exception that Kafka's class would throw, `REQUEST_ERROR` if none; `line` of the input, from 1."""

    type: str
    message: str
    line: int | None = None


def failure(error: Exception) -> Failure:
    """Return what an answer says of an error."""
    if isinstance(error, AssignorError):
        return Failure(error.java_class, str(error))
    if isinstance(error, SnapshotError | ValueError):
        return Failure(REQUEST_ERROR, str(error))
    # Our own fault must not cost the answers of later lines.
    return Failure(REQUEST_ERROR, f"evenkeel failed on this request, {type(error).__name__}: {error}")
