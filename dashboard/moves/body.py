"""Parts of the page Moves: the chain of assignments with its chosen step, the figures, and the
partitions that an answer withholds in the first round.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np
import streamlit as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.compare.facts import Facts
from evenkeel.assignors.compare.moves import Moves
from evenkeel.assignors.protocol import CURRENT
from evenkeel.assignors.rounds.switch import Kind, Switch, kind_of
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.parts.remarks import sentence
from evenkeel.dashboard.parts.switch_words import in_rounds, sentences
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.answer_words import NEVER_ENDS
from evenkeel.dashboard.shell.choice import Choice, Options
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.shell.loading.views import balance_then
from evenkeel.dashboard.view import Change, OpenGroup, View
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.text.formats import UNKNOWN, compact_sum, count, exact, percent

Step = tuple[str, str]


@dataclass(frozen=True)
class _Stops(Choice[list[str]]):
    """Stops: the chosen assignors between the current assignment and the candidate."""

    others: Sequence[str]
    key: str = "via"
    default: list[str] = field(default_factory=list)

    def read(self, linked: str) -> tuple[list[str], str]:
        named = dict.fromkeys(linked.split(","))
        unknown = ", ".join(name for name in named if name not in self.others)[:80]
        refused = f"The URL asks for the stops “{unknown}”; available: {', '.join(self.others)}."
        return [name for name in named if name in self.others], refused if unknown else ""

    def text(self, value: list[str]) -> str:
        return ",".join(value)


def choose_stops(rows: Sequence[Row], candidate: str) -> list[str]:
    """Draw the select box of the stops. Return the chain: the current assignment, the stops in the
    chosen order, and the candidate.
    """
    others = [row.name for row in rows[1:] if row.name != candidate and not row.error]
    choice = _Stops(others)
    choice.follow()
    stops = st.multiselect(
        "By way of", others, placeholder="By way of …", width=260, **choice.widget
    )
    choice.write()
    for row in rows:
        if row.name in stops:
            problem.require_answer(row)
    return [CURRENT, *stops, candidate]


def choose_step(chain: Sequence[str]) -> Step:
    """Return the step that the page shows: the assignment before and the assignment after the step.

    If the chain has several steps, the reader chooses a step; the default is the total.
    """
    steps = (
        [(chain[0], chain[-1]), *zip(chain, chain[1:], strict=False)]
        if len(chain) > 2
        else [(chain[0], chain[1])]
    )
    places = [str(place) for place in range(len(steps))]
    choice = Options("step", places, places[0], "step")
    choice.follow()
    if len(steps) == 1:
        return steps[0]
    names = [
        f"{before} → {after}" + (" (total)" if place == 0 else "")
        for place, (before, after) in enumerate(steps)
    ]
    return steps[int(choice.show("Difference shown", dict(zip(places, names, strict=True))))]


# A chain of assignments as a strip, with the moves of each step and the total.


def show_chain(
    group: OpenGroup, rows: Sequence[Row], chain: Sequence[str], switches: Mapping[str, Switch]
) -> None:
    """Draw a card for each assignment, and between two cards an arrow with the moves. If there are
    several steps, also draw the total.

    `switches`: the switch from the current assignment to each assignment. All comparisons use the
    lag of the open moment. The card of an earlier moment also shows the lag of the earlier moment.
    """
    by_name = {row.name: row for row in rows}
    steps = [
        views.change(group, before, after).moves
        for before, after in zip(chain, chain[1:], strict=False)
    ]
    parts = [_card(by_name[chain[0]], "current", then=balance_then(group))]
    for before, name, moves in zip(chain, chain[1:], steps, strict=False):
        switch = switches.get(name)
        says_rounds = switch and (before == CURRENT or switch.is_endless)
        parts += [
            _arrow(moves),
            _card(
                by_name[name],
                "candidate" if name == chain[-1] else "",
                switch if says_rounds else None,
            ),
        ]
    if len(steps) > 1:
        total = views.change(group, chain[0], chain[-1]).moves
        walked = sum(moves.moved_count for moves in steps)
        parts.append(
            f'<span class="note">{exact(walked)} moves in {count(len(steps), "step")};'
            f" {exact(total.moved_count)} if switched at once</span>"
        )
    st.html(f'<div class="chain">{"".join(parts)}</div>')


def _card(row: Row, role: str, switch: Switch | None = None, then: Balance | None = None) -> str:
    balance = then or row.balance
    counts = (
        f"{exact(balance and balance.max_partitions)} / {exact(balance and balance.min_partitions)}"
        f" · {exact(balance and balance.idle_members)} idle"
    )
    now = f" then, {_worst(row.balance)} with the lag of {CURRENT}" if then else ""
    facts = f"worst {_worst(balance)}{now} · {counts}"
    if switch and (switch.is_endless or switch.round_count > 1):
        facts += f" · {NEVER_ENDS if switch.is_endless else in_rounds(switch)}"
    return f'<div class="card {role}"><b>{escape(row.name)}</b><span>{facts}</span></div>'


def _worst(balance: Balance | None) -> str:
    return compact_sum(balance.max_lag, balance.lag_is_partial) if balance else UNKNOWN


def _arrow(moves: Moves) -> str:
    lag = compact_sum(moves.moved_lag, moves.moved_lag_is_partial)
    return (
        f'<div class="arrow"><b>{count(moves.moved_count, "move")}</b><i></i><span>{lag}'
        " lag</span></div>"
    )


# Numbers above a difference of two assignments.


def kpis(
    view: View, change: Change, after: str, way: Switch | None = None, has_happened: bool = False
) -> list[Kpi]:
    """Return kept and moved partitions, the number of members whose partitions change, and the
    pauses of a switch to `after`.

    The pauses depend on the protocol of `after`. If the protocol is unknown, the pauses of both
    protocols are shown. A past switch has no pauses. `way`: the switch to the answer of `after`,
    which may never end.
    """
    moves = change.moves
    seen = [_kept(moves, len(change.lag)), _moved(moves), _members(view, moves)]
    owned = int((change.pairs.from_member != UNASSIGNED).sum())
    if has_happened:
        return seen
    if way and in_use(view.observed) == after:
        return [*seen, Kpi("In use", "no change", f"a rebalance pauses {exact(way.paused_count)}")]
    switch = _switch(moves, owned, kind_of(ASSIGNORS[after]) if after in ASSIGNORS else None, way)
    return [
        *seen,
        *(
            [kpi._replace(note=NEVER_ENDS, tone="worse") for kpi in switch]
            if way and way.is_endless
            else switch
        ),
    ]


def _switch(moves: Moves, owned: int, kind: Kind | None, way: Switch | None) -> list[Kpi]:
    if kind == Kind.SHARED:
        return [Kpi("Switch", "0 paused", "members share partitions")]
    if kind == Kind.RECONCILED:
        return [
            Kpi(
                "Switch",
                _paused(moves, way),
                " · ".join(["the broker revokes only these partitions", *_rounds(way)]),
            )
        ]
    return [
        *[_eager(moves, owned, way)] * (kind != Kind.COOPERATIVE),
        *[_cooperative(moves, way)] * (kind != Kind.EAGER),
    ]


def _paused(moves: Moves, way: Switch | None) -> str:
    """Return the number of partitions that have no owner for a while.

    If the rounds are unknown, return the number of partitions that members give up.
    """
    return f"{exact(way.paused_count if way else moves.moved_count + moves.revoked_count)} paused"


def _rounds(way: Switch | None) -> list[str]:
    return [] if way is None else [in_rounds(way)]


def _kept(moves: Moves, partitions: int) -> Kpi:
    share = moves.retained_count / partitions if partitions else None
    return Kpi(
        "Kept", exact(moves.retained_count), f"{percent(share)} of {count(partitions, 'partition')}"
    )


def _moved(moves: Moves) -> Kpi:
    unowned = ((moves.added_count, "previously unowned"), (moves.revoked_count, "left unowned"))
    more = [f"{exact(number)} {words}" for number, words in unowned if number]
    lag = compact_sum(moves.moved_lag, moves.moved_lag_is_partial)
    return Kpi(
        "Moved",
        exact(moves.moved_count),
        " · ".join(["lag unknown" if moves.moved_lag is None else f"with {lag} lag", *more]),
    )


def _members(view: View, moves: Moves) -> Kpi:
    changed = int(np.count_nonzero(moves.added.partition_count + moves.revoked.partition_count))
    return Kpi("Members that change", exact(changed), f"of {count(len(view.names), 'member')}")


def _eager(moves: Moves, owned: int, way: Switch | None) -> Kpi:
    """Return the pauses of an eager rebalance. Such a rebalance revokes all owned partitions, even
    partitions that return to the same member.
    """
    back = moves.retained_count
    facts = [
        f"⚠ {exact(back)} come back" if back else "no partition comes back",
        *(_rounds(way) if way and way.round_count > 1 else []),
    ]
    return Kpi("Eager switch", f"{exact(owned)} paused", " · ".join(facts), "worse" if back else "")


def _cooperative(moves: Moves, way: Switch | None) -> Kpi:
    """Return the pauses of a cooperative rebalance. Such a rebalance revokes only moved partitions.
    Their new owners get these partitions in a later round.
    """
    changed = moves.moved_count + moves.revoked_count + moves.added_count
    return Kpi(
        "Cooperative switch",
        _paused(moves, way),
        "".join(_rounds(way)) if changed else "nothing to do",
    )


# Partitions that a first round withholds, and switches that never end. A cooperative assignor
# assigns a moved partition only after the previous owner has revoked it. If a client refuses its
# assignment in every round, the switch never ends.


def show_first_round(view: View, rows: Iterable[Row], facts: Mapping[str, Facts]) -> None:
    """Draw a line for each answer whose rounds never end, and for each answer that withholds
    partitions in its first round.
    """
    for row in rows:
        round_facts = facts.get(row.name)
        if round_facts and round_facts.switch and round_facts.switch.is_endless:
            rounds = " ".join(
                [
                    sentences(round_facts.switch, row),
                    *(sentence(view, row.name, quirk) for quirk in round_facts.quirks),
                ]
            )
            st.html(
                f'<p class="switch"><b class="worse">The switch to {escape(row.name)}'
                f" {NEVER_ENDS}.</b> {escape(rounds)}</p>"
            )
        elif row.assignment and not row.is_whole:
            withheld = exact(len(row.assignment.withheld))
            counted = "All figures count withheld partitions for their future owner."
            st.caption(
                f"{literal(row.name)}, first round: {withheld} withheld, handed out in the next"
                " round."
                f" {counted}"
            )
