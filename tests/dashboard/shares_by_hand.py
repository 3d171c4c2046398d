"""Shares that no page has made, and what `GET /api/shares/ID` answers."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
from starlette.applications import Starlette

from evenkeel.dashboard.server.api import SHARES
from evenkeel.data.scenarios.run.walk import Result, lines_of
from evenkeel.data.shares.share import Frozen
from evenkeel.data.shares.store import shares
from tests.waiting import awaited


def share(
    result: Result,
    change: Callable[[list[dict]], None] = lambda lines: None,
    owner: str | None = None,
    **said: Any,
) -> str:
    """Freeze a result into the store of the configuration, after a change of its lines, and return
    its id.
    """
    lines = lines_of(result)
    change(lines)
    facts = {"title": "one fewer", "keep": timedelta(days=30)} | said
    return (
        shares().make(Frozen(msgspec.to_builtins(result.scenario), lines, **facts), owner).share_id
    )


def answered(share_id: str) -> dict:
    """Return what `GET /api/shares/ID` answers."""
    sent: list[dict] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/api/shares/{share_id}",
        "headers": [],
        "query_string": b"",
        "root_path": "",
    }

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    awaited(Starlette(routes=[SHARES])(scope, receive, send))
    assert sent[0]["status"] == 200, sent
    return json.loads(b"".join(message.get("body", b"") for message in sent))
