"""Answers in JSON: values, and errors with the path of what is wrong."""

import re
from typing import Any

import msgspec
from starlette.responses import Response

_PATH = re.compile(r"(\$\S*|(?:steps|settings)\S*): (.*)", re.DOTALL)
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
"""Nobody keeps an answer, because what it shows may be deleted."""


def answer(value: Any, status: int = 200) -> Response:
    """Return a value."""
    return Response(msgspec.json.encode(value), status, HEADERS, "application/json")


def problem(said: str, status: int) -> Response:
    """Return an error; its `path` is null where the sentence begins with none."""
    path, message = found.groups() if (found := _PATH.fullmatch(said)) else (None, said)
    return answer({"error": {"path": path, "message": message}}, status)
