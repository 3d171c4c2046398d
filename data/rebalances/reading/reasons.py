"""Causes and members, read from the reason in a coordinator's message `Preparing to rebalance …`.

The first pattern that matches the reason decides. The text of a reason that a client gave is free,
so no pattern is applied to it. KIP-848 groups log no reason; causes come from the lines before the
line of a new epoch.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from evenkeel.data.rebalances.event import Member, Rebalance, Trigger
from evenkeel.data.sources.coordinator_log import LogMessage
from evenkeel.data.sources.coordinator_messages import STATE, pieces_of

_FOLLOW_UP_MS, _FAILED_BEFORE_MS = 6_000, 1_000

_NO_REASON = ("", "not provided", "null", "None")
_POLL = "consumer poll timeout has expired"
_CLIENT_REASONS = (
    ("cached metadata has changed", "metadata_changed"),
    ("subscription has changed", "subscription_changed"),
    ("need to revoke partitions and re-join", "follow_up"),
)

BY_KAFKA = (
    *(text for text, _ in _CLIENT_REASONS),
    _POLL,
    "need to re-join with the given member-id",
    "the consumer is being closed",
    "the consumer unsubscribed from all topics",
    "rebalance enforced by user",
    *_NO_REASON[1:],
)
"""Beginnings of the reasons that Kafka's own clients give. Any other reason is a user's text."""

_SAID = r"(?:; client reason: (?P<reason>.*))?"
_ADDS = re.compile(
    r"Adding new member (?P<member>.+?) with group instance ?id (?P<instance>.+?)" + _SAID, re.S
)
_LEAVES = re.compile(
    r"explicit `LeaveGroup` request for \((?P<members>.*)\) members\.?" + _SAID, re.S
)
_REMOVES = re.compile(r"[Rr]emoving member (?P<member>.+?) on LeaveGroup" + _SAID, re.S)
_EXPIRES = re.compile(r"[Rr]emoving member (?P<member>.+?) on heartbeat expiration\.?", re.S)
_LEADER = re.compile(
    r"[Ll]eader (?P<member>.+?) re-?joining group during (?P<state>" + STATE + ")" + _SAID, re.S
)
_UPDATES = re.compile(
    r"Updating metadata for member (?P<member>.+?)(?P<during> during " + STATE + ")?" + _SAID, re.S
)
_OTHERS = (
    (re.compile(r"Removing .*on pending sync request expiration.*", re.S), "sync_timeout"),
    (re.compile(r"Freshly-loaded group .*", re.S), "group_over_capacity"),
    (re.compile(r"Error .*when storing group assignment.*", re.S), "assignment_not_stored"),
    (re.compile(r"Group's selectedProtocol will change .*", re.S), "static_protocol_changed"),
    (re.compile(r"Updating metadata for static member .*", re.S), "static_member_rejoined"),
)
_STATIC = re.compile(
    r"(?:Updating metadata for|Group's selectedProtocol will change because) static member"
    r" (?P<member>.+?) with instance ?id "
    r"(?P<instance>.+?)(?: joined with change of protocol)?" + _SAID,
    re.S,
)
_UNSYNCED = re.compile(r"Removing (?P<members>.+) on pending sync request expiration\.?", re.S)
_LOADED = re.compile(
    r"Freshly-loaded group (?P<group>.+?) \(size \d+\) is over capacity \d+\.?(?P<more>.*)", re.S
)
_STORED = re.compile(
    r"Error (?P<more>.+?) when storing group assignment during SyncGroup(?: \(member:"
    r" (?P<member>.+?)\))?",
    re.S,
)
_NAMING = (
    _ADDS,
    _LEAVES,
    _REMOVES,
    _EXPIRES,
    _LEADER,
    _STATIC,
    _UPDATES,
    _UNSYNCED,
    _LOADED,
    _STORED,
)


class Context(NamedTuple):
    """The state of a group before a log line.

    `before`: earlier lines. `events`: earlier rebalances. `instances`: static instance ids.
    `member`: returns the member with given ids.
    """

    before: Sequence[LogMessage]
    events: Sequence[Rebalance]
    instances: set[str]
    member: Callable[..., Member]


def triggers_of(context: Context, line: LogMessage) -> list[Trigger]:
    """Return the triggers in the reason of `Preparing to rebalance …`, in the reason's order."""
    text = line.reason
    if text is None:
        failed = [
            message
            for message in context.before
            if message.kind == "fails" and line.at - message.at <= _FAILED_BEFORE_MS
        ]
        return [
            _trigger(context, "session_timeout", message.member, line, ())
            for message in failed[-1:]
        ] or [_unknown(line)]
    if match := _ADDS.fullmatch(text):
        return [_joins(context, match, line)]
    if match := _LEAVES.fullmatch(text):
        return _leave(context, match["members"], match["reason"], line)
    if match := _REMOVES.fullmatch(text):
        return [_leaver(context, match["member"], match["reason"], line)]
    if match := _EXPIRES.fullmatch(text):
        return [_trigger(context, "session_timeout", match["member"], line, ())]
    if match := _LEADER.fullmatch(text):
        return [
            _rejoined(
                context,
                match,
                line,
                "leader_rejoined",
                ("metadata_changed", "subscription_changed", "follow_up"),
            )
        ]
    other = next((cause for pattern, cause in _OTHERS if pattern.fullmatch(text)), None)
    if other is None and (match := _UPDATES.fullmatch(text)):
        return [_updated(context, match, line)]
    return [Trigger(other, line.at, line.place, reason=text[:255])] if other else [_unknown(line)]


def _unknown(message: LogMessage) -> Trigger:
    return Trigger(
        "unknown", message.at, message.place, reason=message.reason and message.reason[:255]
    )


def _trigger(
    context: Context,
    cause: str,
    member_id: str | None,
    message: LogMessage,
    alternatives: tuple,
    reason: str | None = None,
) -> Trigger:
    member = None if member_id is None else context.member(member_id)
    return Trigger(cause, message.at, message.place, member, alternatives, given(reason))


def _joins(context: Context, match: re.Match, message: LogMessage) -> Trigger:
    instance = match["instance"]
    if instance.startswith("Some("):
        instance = instance[5:-1]
    if instance in ("null", "None"):
        return _trigger(context, "member_joined", match["member"], message, (), match["reason"])
    context.instances.add(instance)
    member = Member(match["member"], None, instance)
    return Trigger("member_joined", message.at, message.place, member, (), given(match["reason"]))


def _leave(context: Context, members: str, reason: str | None, line: LogMessage) -> list[Trigger]:
    lines = {
        message.member: message
        for message in context.before
        if message.kind == "leaves" and message.member and message.member in members
    }
    ids = list(lines) or members.split(", ")
    return [
        _leaver(
            context,
            member_id,
            lines[member_id].reason if member_id in lines else reason,
            line,
            lines.get(member_id),
        )
        for member_id in ids
    ]


def _leaver(
    context: Context,
    member_id: str,
    reason: str | None,
    message: LogMessage,
    line: LogMessage | None = None,
) -> Trigger:
    cause, alternatives = left_by(reason)
    trigger = _trigger(context, cause, member_id, message, alternatives, reason)
    if line is not None and line.instance:
        trigger.member = context.member(member_id, line)
    return trigger


def _rejoined(
    context: Context, match: re.Match, message: LogMessage, otherwise: str, permitted: tuple
) -> Trigger:
    reason = given(match["reason"])
    if reason is None:
        return _trigger(context, otherwise, match["member"], message, permitted)
    cause = next(
        (cause for text, cause in _CLIENT_REASONS if reason.startswith(text)), "leader_rejoined"
    )
    return _trigger(context, cause, match["member"], message, (), reason)


def _updated(context: Context, match: re.Match, message: LogMessage) -> Trigger:
    if not match["during"]:
        return _rejoined(
            context,
            match,
            message,
            "subscription_changed",
            ("metadata_changed", "leader_rejoined", "follow_up"),
        )
    before = context.events[-2] if len(context.events) > 1 else None
    if (
        before is not None
        and before.end is not None
        and message.at - before.end <= _FOLLOW_UP_MS
        and before.cause in ("member_joined", "follow_up")
    ):
        return _rejoined(context, match, message, "follow_up", ("subscription_changed",))
    return _rejoined(context, match, message, "subscription_changed", ("follow_up",))


def trigger_above_a_bump(message: LogMessage, member: Member) -> Trigger:
    """Return the trigger in a line of a KIP-848 group, if the next line reports a new epoch."""
    if message.kind == "enters":
        return Trigger("member_joined", message.at, message.place, member)
    if message.kind == "leaves":
        cause, alternatives = left_by(message.reason)
        return Trigger(
            cause, message.at, message.place, member, alternatives, given(message.reason)
        )
    if message.kind == "subscribes":
        return Trigger("subscription_changed", message.at, message.place, member)
    if message.kind == "fenced" and (message.reason or "").startswith("it failed"):
        return Trigger("rebalance_timeout", message.at, message.place, member)
    cause = "session_timeout" if message.kind == "fenced" else "member_left"
    return Trigger(cause, message.at, message.place, member, ("poll_timeout",))


def given(reason: str | None) -> str | None:
    """Return the reason that a client gave; None if the client gave no reason."""
    return None if reason is None or reason.strip() in _NO_REASON else reason[:255]


def left_by(reason: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the cause of a member's departure, and other possible causes."""
    if reason is None or given(reason) is None:
        return "member_left", ("poll_timeout",)
    return ("poll_timeout", ()) if reason.startswith(_POLL) else ("member_left", ())


def spelled_reason(text: str) -> list[tuple[str, str]]:
    """Return the reason in `Preparing to rebalance …` as pieces (kind, text).

    An unknown reason is one piece of kind `reason`.
    """
    match = next((match for pattern in _NAMING if (match := pattern.fullmatch(text))), None)
    return pieces_of(match) if match else [("reason", text)]
