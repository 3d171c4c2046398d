"""Texts about rebalances: causes, members that joined and left, and avoided rebalances."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.data.text.formats import counted, duration


class Look(NamedTuple):
    """The mark of a cause.

    `glyph`: the sign in texts. `symbol`: plotly's name of the sign in charts. `member`: index of a
    member's colour; None for a muted colour.
    """

    glyph: str
    symbol: str
    member: int | None = None


class CauseWords(NamedTuple):
    """The texts about a cause.

    `short`: the name in tables. `did`: a short verb after a member's name. `root`: a verb in a
    sentence about the member. `advice`: shown if no setting would have avoided the rebalances.
    """

    short: str
    did: str
    root: str
    advice: str
    look: Look = Look("◇", "diamond-open")


CAUSES = {
    "restarted": CauseWords(
        "restarted",
        "restarted",
        "left and came back",
        "give each member a stable id: an ordinal, never a pod's random name",
        Look("◆", "diamond", 5),
    ),
    "member_joined": CauseWords(
        "member joined",
        "joined",
        "joined the group",
        "expected, unless the member had crashed",
        Look("●", "circle", 0),
    ),
    "member_left": CauseWords(
        "member left",
        "left",
        "left the group",
        "intended; for restarts, use static membership",
        Look("○", "circle-open"),
    ),
    "session_timeout": CauseWords(
        "failed heartbeat",
        "thrown out",
        "sent no heartbeat for {session}",
        "look at the member's heap and host: it sent no heartbeat",
        Look("✕", "x", 1),
    ),
    "poll_timeout": CauseWords(
        "poll timeout",
        "ran out of its poll interval",
        "did not poll in time",
        "one batch takes too long: fetch fewer records, or allow more time",
        Look("▲", "triangle-up", 4),
    ),
    "rebalance_timeout": CauseWords(
        "revoked too late",
        "did not revoke in time",
        "did not give up its partitions in time",
        "shorten the code that runs on revocation",
    ),
    "sync_timeout": CauseWords(
        "sync timeout",
        "did not ask for its assignment",
        "did not ask for its assignment in time",
        "look at the member's host",
    ),
    "metadata_changed": CauseWords(
        "partitions changed",
        "saw other partitions",
        "saw other partitions, topics or racks",
        "intended, if a topic grew",
        Look("✚", "cross"),
    ),
    "subscription_changed": CauseWords(
        "subscription changed",
        "changed its topics",
        "subscribed to other topics",
        "intended, if a release changed its topics",
        Look("■", "square", 2),
    ),
    "leader_rejoined": CauseWords(
        "leader rejoined",
        "joined again as leader",
        "joined again as leader",
        "the client asked for it; harmless",
        Look("⬟", "pentagon", 3),
    ),
    "follow_up": CauseWords(
        "follow-up",
        "joined again",
        "gave up partitions and joined again",
        "the second step of cooperative-sticky; only moving partitions pause",
        Look("▷", "triangle-right-open"),
    ),
    "static_member_rejoined": CauseWords(
        "static member back",
        "came back",
        "came back as a static member with other metadata",
        "restart the member with the same metadata",
    ),
    "static_protocol_changed": CauseWords(
        "static member changed assignors",
        "changed its assignors",
        "came back with other assignors",
        "change assignors in one release",
    ),
    "protocol_converted": CauseWords(
        "protocol converted",
        "converted the group",
        "came with the other protocol",
        "intended: an upgrade",
        Look("★", "star"),
    ),
    "connect_config": CauseWords(
        "Connect's config differs",
        "had an older copy of the config topic",
        "read Connect's config topic up to an offset that differs from the assignment's",
        "use one group.id and one config topic for each Connect cluster",
    ),
    "coordinator_moved": CauseWords(
        "coordinator moved",
        "joined again",
        "joined again after the coordinator had moved",
        "brokers restart one after the other",
        Look("⬢", "hexagon"),
    ),
    "group_over_capacity": CauseWords(
        "group over capacity",
        "exceeds group.max.size",
        "is more than group.max.size allows",
        "raise group.max.size, or run fewer members",
    ),
    "assignment_not_stored": CauseWords(
        "assignment not stored",
        "could not be stored",
        "the broker could not store the assignment",
        "check whether __consumer_offsets has fewer replicas than min.insync.replicas",
    ),
    "unknown": CauseWords(
        "unknown", "", "unknown: the log begins later", "add the log of the previous hour"
    ),
}
"""The texts of all causes, and of `restarted`, which only pages use; docs/rebalances.md explains
each cause.
"""

VERDICTS = {
    "livelock": "a livelock: one client joins again and again, each time with a new id",
    "storm": "a storm: rebalances faster than restarts can cause",
}
"""Sentences about the verdict of a chain."""

_VERDICT_ADVICE = {
    "livelock": "look at the client that joins: it leaves again before it polls",
    "storm": "the client loops, and no setting is wrong: look at the client's log of this time",
}


def advice_words(cause: str, verdict: str | None = None) -> str:
    """Return the advice for a cause; a chain with a verdict has the verdict's advice.

    The cause `connect_config` has its own advice in every chain.
    """
    if cause == "connect_config" or verdict is None:
        return CAUSES[cause].advice
    return _VERDICT_ADVICE[verdict]


_AMBIGUOUS = {
    (
        "member_left",
        "poll_timeout",
    ): "left, or ran out of its poll interval: the client gave no reason",
    (
        "session_timeout",
        "poll_timeout",
    ): "sent no heartbeat, or ran out of its poll interval: both give the same log line",
    ("poll_timeout", "member_left"): "ran out of its poll interval: the same process came back",
    ("poll_timeout", "session_timeout"): "ran out of its poll interval: the same process came back",
}


def cause_words(cause: str, alternatives: Sequence[str] = ()) -> str:
    """Return a text with the cause and the other possible causes.

    Example: `left, or ran out of its poll interval: …`.
    """
    if not alternatives:
        return CAUSES[cause].short
    known = _AMBIGUOUS.get((cause, alternatives[0])) if len(alternatives) == 1 else None
    return (
        known
        or f"{CAUSES[cause].short}, or"
        f" {' or '.join(CAUSES[cause].short for cause in alternatives)}: the source cannot tell"
    )


def root_words(cause: str, session_ms: int | None) -> str:
    """Return a clause that says what the member did; `session_ms`: its session timeout."""
    session = (
        f"{duration(session_ms / 1000)}, its session timeout"
        if session_ms
        else "its session timeout"
    )
    return CAUSES[cause].root.format(session=session)


def silence_words(shortest_ms: int, longest_ms: int) -> str:
    """Return times such as `46 to 52 s`, or `5m 12s` if both times are printed alike."""
    low, high = duration(shortest_ms / 1000), duration(longest_ms / 1000)
    return high if low == high else f"{low} to {high}"


def late_words(shortest_ms: int, longest_ms: int) -> str:
    """Return a text such as `back 1 s after its timeout`, for a timeout that no record has."""
    return f"back {silence_words(shortest_ms, longest_ms)} after its timeout"


def assumed_words(timeout_ms: int) -> str:
    """Return a text such as `5 m assumed`, for a timeout that no record has."""
    return f"{duration(timeout_ms / 1000)} assumed"


def avoided_words(name: str, value: int | str, avoided: int, total: int) -> str:
    """Return a sentence about the effect of a setting.

    Example: `a group.instance.id for each member would have avoided 6 of 6 rebalances`.
    """
    is_own = name == "group.instance.id"
    setting = f"a {name} for each member" if is_own else f"{name}={value}"
    return f"{setting} would have avoided {avoided:,} of {counted(total, 'rebalance')}"


def setting_words(name: str, value: int | str) -> str:
    """Return a text such as `session.timeout.ms=60000`.

    For `group.instance.id` the text adds that each member needs a different value.
    """
    own = ", each its own" if name == "group.instance.id" and value else ""
    return f"{name}={value}{own}" if value != "" else name
