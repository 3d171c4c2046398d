"""Columns of the list of groups, for the page, the command, CSV and `--json`."""

from typing import Any

from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.readiness.bounces import Bounce
from evenkeel.assignors.readiness.facts import Broker, Verdict
from evenkeel.assignors.rounds.mixed import Owners
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.words import VERDICTS, sentences, text
from evenkeel.data.scenarios.client_words import named
from evenkeel.data.text.columns import Column
from evenkeel.data.text.formats import UNKNOWN, exact
from evenkeel.data.text.names import elided

_CLASSIC_HEARTBEAT_S, _REJOIN_S = 3.0, 0.5
NAME_WIDTH = 26


def _group(ready: Ready) -> dict[str, Any]:
    name = ready.source or ready.name
    return {"text": name, "title": name, "note": "no name" * bool(ready.source)}


def _clients(ready: Ready) -> dict[str, Any]:
    clients = ", ".join(_client(ready, name) for name in ready.families)
    clients = clients or "client unknown" * bool(ready.member_count)
    return {"note": clients and f"· {clients}"}


def _client(ready: Ready, name: str) -> str:
    """Return the client's name with its version.

    If the version is unknown and the verdict depends on it, return the name with "version unknown".
    """
    unknown = [each.facts["family"] for each in ready.judged.reasons if each.code == "ask-version"]
    if (version := ready.asked.versions.get(name)) is not None:
        return f"{named(name)} {version}"
    return f"{named(name)}, version unknown" if name in unknown else named(name)


def protocol_words(ready: Ready) -> str:
    """Return the assignor now and after the move: `range → uniform`."""
    now = ready.facts.protocol or "unknown"
    is_going = (
        ready.judged.verdict in (Verdict.NOTE, Verdict.READY, Verdict.UNKNOWN)
        or ready.is_cooperative
    )
    same = ready.facts.group_type == CONSUMER and now == ready.assignor
    return f"{now} → {ready.assignor}" if is_going and not same and ready.facts.members else now


def _reasons(ready: Ready) -> str | None:
    return " ".join(text(reason, ready.names) for reason in ready.judged.reasons) or None


def _reason(ready: Ready) -> str:
    return next((sentences(each, ready.names)[0] for each in ready.judged.reasons), "")


def _why(ready: Ready) -> dict[str, Any]:
    worst = ready.judged.worst
    why = sentences(worst, ready.names)[0].rstrip(".") if worst else _quiet(ready)
    return {"text": why, "title": why}


def _quiet(ready: Ready) -> str:
    if not ready.member_count:
        return "no members: the broker accepts the move, offsets remain"
    if ready.judged.verdict == Verdict.DONE:
        return "every member uses the consumer protocol"
    return "settings only"


def _moves(ready: Ready) -> str:
    if not ready.way or not ready.observed:
        return UNKNOWN
    return f"{exact(ready.way.moves)} of {exact(ready.observed.snapshot.tp_count)}"


def _pairs(ready: Ready) -> str:
    """Return the loss of the worst topic pair: partitions that no longer have a common owner."""
    pairs = ready.way.pairs if ready.way else ()
    lost = min(pairs, key=lambda pair: pair.after - pair.before, default=None)
    if lost is None or lost.before != lost.partitions or lost.after >= lost.before:
        return UNKNOWN
    return f"{exact(lost.before - lost.after)} of {exact(lost.partitions)}"


def _racks(ready: Ready) -> str:
    before, after = (ready.way and ready.way.racks) or (0, 0)
    return f"{exact(before - after)} lost" if before > after else UNKNOWN


def _pause(ready: Ready) -> str:
    if not ready.way:
        return UNKNOWN
    return time_text(sum(seconds(bounce, ready.asked.broker) for bounce in ready.way.bounces))


def _order(ready: Ready) -> str:
    if ready.way is None or not ready.way.bounces:
        return UNKNOWN
    if all(bounce.is_static for bounce in ready.way.bounces):
        return "any"
    return f"{elided(ready.label(ready.way.bounces[0].member), NAME_WIDTH)} first"


def seconds(bounce: Bounce, broker: Broker) -> float:
    """Return the longest pause of a partition during a restart, in seconds.

    A partition that moves waits for heartbeats of both owners; another partition waits for a
    rejoin.
    """
    if bounce.is_static:
        return 0.0
    changes = (bounce.stopped, bounce.started)
    return max((_wait(each, broker) for each in changes if each is not None), default=0.0)


def _wait(change: Owners, broker: Broker) -> float:
    if not change.moved:
        return _REJOIN_S
    # In a classic group, both owners heartbeat at the classic interval. In a group of type
    # consumer, the slower owner may be a classic member.
    if change.group_type != CONSUMER:
        return 2 * _CLASSIC_HEARTBEAT_S
    return _CLASSIC_HEARTBEAT_S + (broker.heartbeat_interval_ms or 5_000) / 1000


def time_text(value: float) -> str:
    """Return a duration as text, such as `1m 5s` or `8 s`."""
    minutes, rest = divmod(round(value), 60)
    return f"{minutes}m {rest}s" if minutes else f"{round(value)} s"


COLUMNS = (
    Column("group_id", "group", "name", "facts.group_id", title="Group", cell=_group, place=1),
    Column("source_file", value="source"),
    Column(
        "verdict",
        "verdict",
        lambda ready: VERDICTS[ready.judged.verdict],
        "judged.verdict.value",
        title="Verdict",
        cell=lambda ready: {"kind": ready.judged.verdict.value, "title": ""},
        place=0,
    ),
    Column(
        "broker",
        "broker",
        value=lambda ready: ready.judged.broker and ready.judged.broker.value,
        place=3,
    ),
    Column("refusal", value="judged.refusal"),
    Column("type", value="facts.group_type"),
    Column("state", value="facts.state"),
    Column("assignor", "", protocol_words, "facts.protocol", title="Assignor", place=4),
    Column("members", "members", None, "member_count", "int64", "Members, clients", _clients, 2),
    Column("clients", value=lambda ready: " ".join(ready.families) or None),
    Column("moves", "moves", _moves, lambda ready: ready.way and ready.way.moves, "int64", "moves"),
    Column("moved_total", value=lambda ready: ready.way and ready.way.moved_total, kind="int64"),
    Column(
        "reasons",
        value=lambda ready: " ".join(reason.code for reason in ready.judged.reasons) or None,
    ),
    Column("why", "why", _reason, _reasons, title="Why", cell=_why, place=5),
    Column("pairs", text=_pairs, title="pairs lost"),
    Column("racks", text=_racks, title="racks"),
    Column("pause", text=_pause, title="pause"),
    Column("order", text=_order, title="Order"),
)
"""Columns in the order of the CSV."""

PEOPLE = sorted(COLUMNS, key=lambda column: column.place)
"""Columns in the order of the page. The command prints the reasons last."""
