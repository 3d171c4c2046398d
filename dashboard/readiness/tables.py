"""Content of an open group of Readiness."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.arrays import all_known
from evenkeel.assignors.clients import CLIENTS
from evenkeel.assignors.clients.client import COOPERATIVE_STICKY
from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.assignors.readiness.bounces import Bounce
from evenkeel.assignors.readiness.facts import Broker
from evenkeel.assignors.rounds.mixed import EXTRA
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.columns import NAME_WIDTH, seconds, time_text
from evenkeel.data.readiness.environment import RANGE
from evenkeel.data.readiness.groups import change_of, ways_back
from evenkeel.data.readiness.way import Way
from evenkeel.data.readiness.words import text
from evenkeel.data.scenarios.client_words import named
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.scenarios.switch_steps import steps as steps_to
from evenkeel.data.text.formats import UNKNOWN, exact, with_more
from evenkeel.data.text.names import elided

_MOST_BOXES, _SHOWN_BEFORE, _SHOWN_AFTER = 12, 3, 2


def key(group: Ready) -> str:
    """Return the key of a group in the list."""
    return group.facts.group_id or f"\0{group.source}"


def detail(
    group: Ready, assignor: str, others: Mapping[str, Ready], usual: Ready | None = None
) -> dict[str, Any]:
    """Return the parts of an open group: the strip of states, settings, a table of assignors, the
    order of restarts, and all reasons.

    `others`: the group under each of the broker's assignors, by name. `usual`: the group under the
    default assignor. The reasons are about `usual`.
    """
    way, observed = group.way, group.observed
    return {
        "id": key(group),
        "verdict": group.judged.verdict.value,
        "reasons": [
            {"kind": reason.kind.value, "text": text(reason, group.names)}
            for reason in (usual or group).judged.reasons
        ],
        "strip": _strip(group, way, observed, assignor) if way and observed else [],
        "shown": _shown(group, assignor) if group.way else "",
        "settings": _settings(group, assignor),
        "assignors": _assignors(group, assignor, others) if not group.is_cooperative else None,
        "order": _steps(group, way, observed) if way and observed else [],
        "total": _total(group, way) if way else "",
    }


def _shown(group: Ready, assignor: str) -> str:
    """Return a sentence on the assignor of these restarts. Empty if the group's row is about the
    same assignor.
    """
    if group.is_cooperative or assignor == group.assignor:
        return ""
    return (
        f"Restarts with {assignor}, which keeps pairs of topics together. The row above is for"
        f" {group.assignor}, the default."
    )


def _strip(group: Ready, way: Way, observed: ObservedGroup, assignor: str) -> list[dict[str, Any]]:
    """Return the states of the group from now to the end. Each state has its restart, and the way
    to undo the restart.

    A long list is shortened.
    """
    members = len(group.facts.members)
    is_new = [member.protocol == CONSUMER for member in group.facts.members]
    generation = observed.snapshot.generation.max(initial=-1)
    states = [
        {
            "title": f"{group.facts.group_type}, {group.facts.protocol or 'unknown'}",
            "note": f"generation {generation}" * bool(generation >= 0),
            "boxes": _boxes(is_new),
        }
    ]
    backs = ways_back(group, partial(elided, width=NAME_WIDTH))
    for number, (bounce, back) in enumerate(zip(way.bounces, backs, strict=True), 1):
        if bounce.member != EXTRA:
            is_new[bounce.member] = True
        is_last = number == len(way.bounces)
        end = CONSUMER if not group.is_cooperative else CLASSIC
        first = (
            "converts · "
            if number == 1 and not group.is_cooperative and group.facts.group_type != CONSUMER
            else ""
        )
        states.append(
            {
                "title": f"{end}, {assignor}" if is_last else f"{sum(is_new)} of {members}, mixed",
                "note": f"{first}{back}",
                "boxes": _boxes(is_new),
                "arrow": _arrow(group, bounce),
                "moves": _moves(bounce, group.asked.broker),
            }
        )
    return _in_short(states)


def _arrow(group: Ready, bounce: Bounce) -> str:
    if bounce.member == EXTRA:
        return "start an extra member" if bounce.started else "stop the extra member"
    return elided(group.label(bounce.member), NAME_WIDTH)


def _moves(bounce: Bounce, broker: Broker) -> str:
    if bounce.is_static:
        return "nothing moves"
    least, most = (
        sum(each.moves[place] for each in (bounce.stopped, bounce.started) if each is not None)
        for place in (0, 1)
    )
    number = exact(least) if least == most else f"{exact(least)}–{exact(most)}"
    return f"{number} {'move' if most == 1 else 'moves'} · {time_text(seconds(bounce, broker))}"


def _boxes(is_new: Sequence[bool]) -> dict[str, Any]:
    if len(is_new) <= _MOST_BOXES:
        return {"new": list(is_new), "more": ""}
    return {"new": [*is_new[:4], *is_new[-2:]], "more": f"{len(is_new) - 6} more"}


def _in_short(states: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first states and the last two states. Between them, one state represents all
    omitted states.
    """
    if len(states) <= _SHOWN_BEFORE + _SHOWN_AFTER:
        return states
    left = states[_SHOWN_BEFORE - 1 : -_SHOWN_AFTER]
    middle = left[-1] | {"title": f"… {len(left)} similar" if len(left) > 1 else left[-1]["title"]}
    return [*states[: _SHOWN_BEFORE - 1], middle, *states[-_SHOWN_AFTER:]]


def _settings(group: Ready, assignor: str) -> list[dict[str, Any]]:
    """Return for each client family the settings that members add and remove."""
    result = []
    for name in group.families:
        joins = CLIENTS[name].consumer_protocol
        if group.is_cooperative or joins is None:
            continue
        change = change_of(name, assignor if assignor == RANGE or group.asked.remote else None)
        result.append(
            {
                "client": named(name),
                "add": [f"{key}={value}" for key, value in change["add"].items()],
                "remove": change["remove"],
                "note": f"Members need {joins.releases}. {joins.remark}".strip(),
            }
        )
    return result


def _assignors(group: Ready, assignor: str, others: Mapping[str, Ready]) -> dict[str, Any] | None:
    ways = {name: other.way for name, other in others.items() if other.way}
    if not ways or group.way is None or group.observed is None:
        return None
    tp_count = exact(group.observed.snapshot.tp_count)
    rows: list[dict[str, object]] = [
        {
            "label": "partitions that move for good",
            "cells": [
                UNKNOWN,
                *(f"{exact(way.moves)} of {tp_count}" for way in ways.values()),
            ],
        },
        {
            "label": "moves in all restarts",
            "cells": [UNKNOWN, *(exact(way.moved_total) for way in ways.values())],
        },
    ]
    whole = [pair for pair in next(iter(ways.values())).pairs if pair.before == pair.partitions]
    for pair in whole[:2]:
        after = [
            next((each.after for each in way.pairs if each.topics == pair.topics), 0)
            for way in ways.values()
        ]
        cells = [
            f"{pair.before} of {pair.partitions}",
            *(f"{number} of {pair.partitions}" for number in after),
        ]
        lost = [False, *(number < pair.before for number in after)]
        rows.append(
            {
                "label": f"{elided(pair.topics[0], 18)} and {elided(pair.topics[1], 18)} together",
                "cells": cells,
                "lost": lost,
            }
        )
    racks = all_known(way.racks for way in ways.values())
    rows.append(
        {
            "label": "reads in its own rack",
            "cells": [exact(racks[0][0]), *(exact(each[1]) for each in racks)]
            if racks
            else ["no racks"] * (1 + len(ways)),
        }
    )
    return {
        "columns": ["today", *ways],
        "rows": rows,
        "advised": 1 + list(ways).index(assignor) if assignor in ways else None,
    }


def advised(others: Mapping[str, Ready], usual: str) -> str:
    """Return the recommended assignor: range if it keeps pairs of topics together, else `usual`."""
    way = {name: other.way for name, other in others.items() if other.way}
    if usual in way and RANGE in way and usual != RANGE:
        pairs = [pair for pair in way[RANGE].pairs if pair.before == pair.partitions == pair.after]
        if pairs:
            return RANGE
    return usual


def _steps(group: Ready, way: Way, observed: ObservedGroup) -> list[str]:
    broker = group.asked.broker
    if group.is_cooperative:
        done = steps_to(
            group.families[0],
            ASSIGNORS[COOPERATIVE_STICKY],
            ASSIGNORS.get(in_use(observed) or ""),
            group.facts.group_type,
        )
        parts = [f"{step.text} {step.setting}".strip() for step in done]
        return [
            *parts,
            f"The restarts above belong to the second rolling restart: {_named(group, way)}.",
        ]
    policy = f"policy {broker.policy}" if broker.policy else "policy unknown: read it first"
    first = way.bounces[0]
    rest = way.bounces[1:]
    return [
        (
            "Brokers:"
            f" {'nothing, ' if broker.policy else ''}"
            f"{'group.version is 1, ' if broker.is_on else ''}{policy}"
        ),
        f"{group.label(first.member)} first. Wait until the group is Stable and all epochs are"
        " equal",
        *([f"Then {_named(group, way, 1)}, one at a time"] if rest else []),
        f"Check: type consumer, 0 classic members of {len(group.facts.members)}",
    ]


def _named(group: Ready, way: Way, first: int = 0) -> str:
    names = [elided(group.label(bounce.member), NAME_WIDTH) for bounce in way.bounces[first:]]
    most = 4 if len(names) <= 4 else 3
    return with_more(", ".join(names[:most]), len(names) - most)


def _total(group: Ready, way: Way) -> str:
    at_most = sum(seconds(bounce, group.asked.broker) for bounce in way.bounces)
    return f"{exact(way.moved_total)} moves, {time_text(at_most)} at most in all"
