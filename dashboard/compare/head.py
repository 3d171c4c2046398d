"""Six numbers above a comparison."""

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.rounds.switch import Switch
from evenkeel.dashboard.names import UNDER
from evenkeel.dashboard.parts.facts import MEMBERS, PARTITIONS, WORST_MEMBER, lag_of
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.parts.switch_words import rounds
from evenkeel.dashboard.shell.answer_words import NEVER_ENDS
from evenkeel.dashboard.view import View
from evenkeel.data.text.formats import (
    UNKNOWN,
    about,
    change,
    compact_sum,
    count,
    exact,
    factor,
    percent,
)
from evenkeel.data.text.names import elided


def kpis(view: View, candidate: Row, switch: Switch | None, gain: float | None) -> list[Kpi]:
    """Return six figures: lag, the worst member now, the worst member with the candidate, members,
    partitions, and moves with the number of rounds.

    `gain`: smallest relative gain that is worth a switch, None if no switch helps. A smaller gain
    has no green colour.
    """
    group, current = view.comparison.group, view.comparison.rows[0]
    topics = sum(group.topic_known.tolist())
    return [
        lag_of(group),
        _worst_now(view, current),
        _worst_after(view, current, candidate, switch is not None and switch.is_endless, gain),
        _members(view, current, candidate),
        _partitions(current, group.tp_count, topics),
        _moved(candidate, switch, group.tp_count),
    ]


def _partitions(current: Row, tp_count: int, topic_count: int) -> Kpi:
    ownerless = int((current.assignment.owner == UNASSIGNED).sum()) if current.assignment else 0
    topics = count(topic_count, "topic")
    if not ownerless:
        return Kpi(PARTITIONS, exact(tp_count), topics)
    return Kpi(
        PARTITIONS, exact(tp_count), f"⚠ {exact(ownerless)} without owner · {topics}", "worse"
    )


def _worst_now(view: View, current: Row) -> Kpi:
    balance = current.balance
    if balance is None or not balance.worst_lag:
        return Kpi(
            WORST_MEMBER,
            compact_sum(balance and balance.worst_lag, bool(balance and balance.lag_is_partial)),
        )
    some = balance.lag_is_partial
    share, name = (
        about(factor(balance.max_lag_share), some),
        elided(view.names[int(balance.lag.argmax())], 14),
    )
    return Kpi(WORST_MEMBER, compact_sum(balance.worst_lag, some), f"{share} its share · {name}")


def _worst_after(
    view: View, current: Row, candidate: Row, never_ends: bool, gain: float | None
) -> Kpi:
    label = f"{WORST_MEMBER} {UNDER}"
    if candidate.balance is None or candidate.balance.worst_lag is None:
        return Kpi(label, UNKNOWN, label_name=candidate.name)
    before, after = current.balance and current.balance.worst_lag, candidate.balance.worst_lag
    some_now, some = (
        bool(current.balance and current.balance.lag_is_partial),
        candidate.balance.lag_is_partial,
    )
    step = "=" if candidate.keeps_all else change(before, after, some_now, some)
    mark = (
        ""
        if before is None or step in (UNKNOWN, "=")
        else "▼ " * (after < before and not some) or "▲ " * (after > before and not some_now)
    )
    tone = "worse" if mark == "▲ " else ""
    if before and gain is not None and mark == "▼ " and before - after >= gain * before:
        tone = "better"
    name = elided(view.names[int(candidate.balance.lag.argmax())], 14) if after else ""
    note = " · ".join(filter(None, ["" if step == UNKNOWN else step, name]))
    note, tone = (f"{NEVER_ENDS} · {note}", "worse") if never_ends else (mark + note, tone)
    return Kpi(label, compact_sum(after, some), note, tone, candidate.name)


def _members(view: View, current: Row, candidate: Row) -> Kpi:
    now = current.balance and current.balance.idle_members
    after = candidate.balance.idle_members if candidate.balance else None
    members = exact(len(view.names))
    idle = f"idle {exact(now)}" if now == after else f"idle {exact(now)} → {exact(after)}"
    if now is None and after is None:
        return Kpi(MEMBERS, members)
    if now == after == 0:
        return Kpi(MEMBERS, members, "none idle")
    is_worse = after or (after is None and now)
    return Kpi(MEMBERS, members, f"⚠ {idle}", "worse") if is_worse else Kpi(MEMBERS, members, idle)


def _moved(candidate: Row, switch: Switch | None, tp_count: int) -> Kpi:
    moved, never_ends = candidate.moved_partitions, switch is not None and switch.is_endless
    facts = []
    if moved and tp_count:
        facts = [percent(moved / tp_count), *_moved_lag(candidate)]
        if switch and switch.round_count > 1 and not never_ends:
            facts.append(f"{rounds(switch)} rounds")
    note = " · ".join([NEVER_ENDS] * never_ends + facts)
    return Kpi(f"Moved {UNDER}", exact(moved), note, "worse" if never_ends else "", candidate.name)


def _moved_lag(candidate: Row) -> list[str]:
    moves = candidate.moves
    if moves is None or moves.moved_lag is None:
        return []
    return [f"{compact_sum(moves.moved_lag, moves.moved_lag_is_partial)} lag"]
