"""A value of the configuration reaches no route, no page, no command's output and no log, however
wrong its setting is.
"""

import json
import logging
import random

import pytest
from starlette.routing import Router

from evenkeel.dashboard.server import application
from evenkeel.dashboard.server.application import ROUTES
from evenkeel.data.commands.main import main
from evenkeel.data.lake import service
from tests.data.configuration.wrong import CANARY, NUMBER, wrong
from tests.waiting import awaited

pytestmark = pytest.mark.usefixtures("cookies")

_ASKED = (
    ("GET", "/healthz"),
    ("GET", "/metrics"),
    ("GET", "/api/shares/none"),
    ("POST", "/api/scenarios"),
)
_PAGES = ("start", "groups", "compare", "moves", "whatif", "timeline", "streams", "shared")
_COMMANDS = (
    ["groups", "--cluster", "production"],
    ["history", "--group", "g"],
    ["tidy"],
    ["compare", "/nowhere"],
)
_WAYS = len(_ASKED) + len(_PAGES) + len(_COMMANDS)


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Return a function that writes a configuration; object storage that does not answer is asked
    once.
    """
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setattr(application, "_ASKED", {})
    monkeypatch.setitem(service._RETRIES, "max_retries", 0)
    return lambda tables: (tmp_path / "evenkeel.toml").write_text(_toml(tables))


def test_no_route_page_command_or_log_shows_a_value(configured, page, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    shown = {}

    for number, one in enumerate(random.Random(7).sample(list(wrong()), 4 * _WAYS)):
        configured(one.tables)
        way, text = _seen(number % _WAYS, page)
        shown[f"{one.setting} {number} {way}"] = text + "".join(capfd.readouterr()) + caplog.text
        caplog.clear()

    assert [
        name for name, text in shown.items() if CANARY in text or str(NUMBER)[:-1] in text
    ] == []
    assert sum("expected" in text for text in shown.values()) > len(shown) / 3


def _seen(number, page):
    """Return one way to look at Evenkeel, and what it shows."""
    if number < len(_ASKED):
        return _ASKED[number], awaited(_answer(*_ASKED[number]))
    if (number := number - len(_ASKED)) < len(_PAGES):
        return _PAGES[number], _text(page.anew().open(_PAGES[number]).app)
    command = _COMMANDS[number - len(_PAGES)]
    return command, str(main(command))


async def _answer(method, path):
    parts = []

    async def receive():
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message):
        parts.append(message.get("body", b""))

    headers = [(b"content-type", b"application/json")]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "root_path": "",
        "query_string": b"",
        "headers": headers,
    }
    await Router(ROUTES)(scope, receive, send)
    return b"".join(parts).decode()


def _text(app):
    return "\n".join(str(getattr(element, "proto", "")) for element in app._tree)


def _toml(tables):
    return "\n".join(f"{json.dumps(name)} = {_value(value)}" for name, value in tables.items())


def _value(value):
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(name)} = {_value(each)}" for name, each in value.items())
            + "}"
        )
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, list) else json.dumps(value)
