"""What /healthz says when a part does not work."""

import json

import pytest
from starlette.requests import Request

from dashboard.server.api import health
from data.pipeline import uploads
from tests.services.ports import free_port


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Return a function that asks, with what it is given as environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(health, "_ASKED", {})
    monkeypatch.setattr(uploads, "spark_state", lambda: "starting")
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))

    def answer(**environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        found = health._health(Request({"type": "http", "headers": []}))
        return found.status_code, json.loads(found.body)

    return answer


def test_everything_is_ok_on_an_empty_machine(asked):
    assert asked() == (200, {"ok": True, **dict.fromkeys(("process", "lake", "store", "spark"), {"ok": True})})


def test_a_store_that_does_not_answer_is_named_without_its_password(asked):
    status, parts = asked(EVENKEEL_DATABASE_URL=f"postgresql://evenkeel:password-of-the-tests@127.0.0.1:{free_port()}/shares")

    assert (status, parts["ok"], parts["lake"], parts["store"]["ok"]) == (503, False, {"ok": True}, False)
    assert parts["store"]["why"].startswith("the store of shares (postgresql): ")
    assert "password-of-the-tests" not in json.dumps(parts)


def test_a_missing_java_is_named(asked, monkeypatch):
    monkeypatch.setattr(uploads, "spark_state", lambda: "missing: a JDK 17 or newer")

    status, parts = asked()

    assert (status, parts["spark"]) == (503, {"ok": False, "why": "missing: a JDK 17 or newer"})


def test_a_check_that_does_not_return_is_not_asked_again_meanwhile(asked, monkeypatch):
    from threading import Event

    calls, returns = [], Event()

    def hangs():
        calls.append("lake")
        returns.wait(60)

    monkeypatch.setattr(health, "_SECONDS", 0.05)
    monkeypatch.setattr(health, "_CHECKS", {"lake": hangs})
    try:
        answers = [asked() for _ in range(3)]
    finally:
        returns.set()

    assert [(status, parts["lake"]) for status, parts in answers] == 3 * [(503, {"ok": False, "why": "no answer in 0.05 s"})]
    assert calls == ["lake"]


def test_an_error_that_nobody_expected_shows_its_class_alone(asked, monkeypatch):
    def fails():
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(health, "_CHECKS", {"store": fails})

    assert asked() == (503, {"ok": False, "process": {"ok": True}, "store": {"ok": False, "why": "ZeroDivisionError"}})
