"""What helps: the remedies of the headline as rows. The advised remedy is marked."""

from collections.abc import Sequence
from typing import Any

from evenkeel.assignors.diagnosis.finding import Class, Code
from evenkeel.dashboard.overview import words
from evenkeel.dashboard.overview.loading import Overview
from evenkeel.data.text.formats import at_least, number

_MOST_SUBJECTS = 2


def helps(seen: Overview) -> dict[str, Any]:
    """Return the remedies. At most one remedy is advised.

    If the group catches up by itself, the first remedy, which is to do nothing, is advised.
    """
    answer = seen.answer
    if answer.group_class == Class.FINE:
        none = words.NOTHING_TO_DO if answer.case.now.is_whole else answer.advice
        return {"title": "What helps", "none": none, "rows": []}
    is_open = answer.is_open
    rows = [_remedy(seen, remedy, is_open) for remedy in answer.remedy_documents()]
    advised = rows[0] if answer.catches_up else _advised(rows, is_open)
    if advised:
        advised["isAdvised"] = True
    return {
        "title": "What helps",
        "note": "after the later reading" if is_open else "",
        "none": "",
        "rows": rows,
    }


def _advised(rows: Sequence[dict[str, Any]], is_open: bool) -> dict[str, Any] | None:
    """Return the first remedy that helps, or else the first remedy that may help.

    If a later reading is needed, return the first remedy that is not ruled out. None if there is no
    such remedy.
    """
    acts = [row for row in rows if row["action"] != "nothing" and row["helps"] != "no"]
    helping = [] if is_open else [row for row in acts if row["helps"] == "yes"]
    return next(iter([*helping, *acts]), None)


def _remedy(seen: Overview, remedy: dict[str, Any], is_open: bool) -> dict[str, Any]:
    action, code = remedy["action"], seen.answer.code
    helps = remedy["helps"]
    members: Sequence[int] = _rows_of(seen, remedy["subject"])
    if action == "look" and code in (Code.STALLED, Code.SLOW_MEMBER):
        members = seen.answer.headline.members
    names = ", ".join(seen.answer.names.name_and_host(row)[0] for row in members[:_MOST_SUBJECTS])
    is_ruled_out = helps == "no"
    name = words.remedy(
        action, None if is_ruled_out else remedy["assignor"], remedy["count"], names
    )
    if action == "read_again":
        name = words.LATER_READING if seen.uploaded else name
    why = remedy["why"]
    if is_open and not is_ruled_out:
        why = words.meaning(code, action, why)
    worst = remedy["worst_lag"]
    row = {
        "action": action,
        "name": name,
        "why": why,
        "helps": helps,
        "worst": "" if worst is None or is_ruled_out else number(worst),
        "change": "" if is_ruled_out else _change(seen, worst),
        "price": ""
        if is_ruled_out
        else words.price(
            remedy["moves"],
            remedy["paused"],
            None if action == "restart" else remedy["restarts"],
        ),
        "isAdvised": False,
        "tries": {key: remedy[key] for key in ("action", "subject", "assignor", "count")}
        if not is_ruled_out and action in TRIED
        else None,
    }
    return row | _best(seen) if action == "best_plan" and not is_ruled_out else row


def _best(seen: Overview) -> dict[str, str]:
    """Return quality, lag, moves and drain time of the best plan. Empty if there is no plan."""
    plan = seen.best
    if plan is None:
        return {}
    best = plan.best
    if best is None:
        return {"why": plan.quality}
    worst = int(best.value)
    drain = seen.answer.drain_of(best.assignment)
    if drain.is_endless:
        return {"why": drain.text, "helps": "no"}
    return {
        "why": ", ".join(filter(None, [plan.quality, drain.text])),
        "worst": at_least(number(worst), bool(best.unknown)),
        "change": _change(seen, worst),
        "price": words.price(best.moves, None, None),
    }


TRIED = ("restart", "add_members", "switch", "best_plan")
"""Actions that the reader can try on another page."""


def _rows_of(seen: Overview, members: Sequence[str]) -> list[int]:
    row_of = {name: row for row, name in enumerate(seen.answer.observed.snapshot.member_id)}
    return [row_of[member] for member in members]


def _change(seen: Overview, worst: int | None) -> str:
    before = int(seen.member_lag.max(initial=0))
    if worst is None or not before or worst >= before:
        return ""
    return f"−{(before - worst) / before:.0%}".replace("%", " %")
