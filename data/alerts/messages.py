"""The body of an alert, in the format of each receiver."""

from collections.abc import Sequence
from typing import Any

from evenkeel.data.configuration.alert_rules import Form

SCHEMA = "evenkeel.alert/1"
FIRING, RESOLVED = "firing", "resolved"

_MARK = {FIRING: "", RESOLVED: "Over: "}
_MOST_LINES = 20


def message(
    form: Form, rule: str, state: str, findings: Sequence[dict[str, Any]], keys: Sequence[str]
) -> Any:
    """Return the body of one message. `findings`: JSON objects of the schema
    `evenkeel.finding/1`.
    """
    if form == "alertmanager":
        return [_alert(state, each) for each in findings]
    if form == "json":
        first = findings[0]
        groups = {each["group"] for each in findings}
        return {
            "schema": SCHEMA,
            "rule": rule,
            "state": state,
            "cluster": first["cluster"],
            "group": first["group"] if len(groups) == 1 else None,
            "findings": list(findings),
            "keys": list(keys),
            "link": first["link"],
        }
    # Slack and Teams read plain text from the same field.
    return {"text": _text(form, state, findings)}


def _text(form: Form, state: str, findings: Sequence[dict[str, Any]]) -> str:
    lines = [f"{_MARK[state]}{each['severity']}: {each['text']}" for each in findings]
    groups = {each["group"] for each in findings}
    if len(groups) > 1:
        where = findings[0]["cluster"] or "one cluster"
        lines.insert(0, f"{_MARK[state]}{len(groups):,} groups on {where}:")
    shown = lines[:_MOST_LINES]
    if len(lines) > len(shown):
        shown.append(f"and {len(lines) - len(shown):,} more")
    # A name from Kafka may contain markup; it must not become a link or a mention.
    escaped = [_plain(form, line) for line in shown]
    return "\n".join([*escaped, findings[0]["link"]])


def _plain(form: Form, text: str) -> str:
    if form == "slack":
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>" else sign for sign in text)


def _alert(state: str, finding: dict[str, Any]) -> dict[str, Any]:
    labels = {
        "alertname": "Evenkeel",
        "cluster": finding["cluster"] or "",
        **{name: finding[name] for name in ("group", "code", "severity")},
    }
    alert = {
        "labels": labels,
        "annotations": {"summary": finding["text"], "description": finding["advice"]},
        "startsAt": finding["since"],
    }
    return alert | ({"endsAt": finding["until"]} if state == RESOLVED else {})
