"""The list of Readiness: the groups that pass the filters, the open row, and the restarts of the
open group as steps of What-if.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.readiness.bounces import DRAWS
from evenkeel.assignors.readiness.facts import Verdict
from evenkeel.assignors.rounds.mixed import EXTRA, Owners
from evenkeel.dashboard.readiness import table
from evenkeel.dashboard.readiness.loading import COOPERATIVE, Readiness, way
from evenkeel.dashboard.readiness.tables import advised, detail, key
from evenkeel.dashboard.readiness.words import kinds
from evenkeel.dashboard.scope import live
from evenkeel.dashboard.shell import address, problem
from evenkeel.dashboard.shell.choice import ListedGroup
from evenkeel.dashboard.shell.navigation import WHAT_IF
from evenkeel.dashboard.shell.opened import open_group
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import plan_by_name
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.environment import RANGE, UNIFORM
from evenkeel.data.scenarios.edits.set_owners import SetOwners
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, text_of
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.text.formats import exact

_OPEN, _FOLDS, _WALK = "readiness-open", "readiness-folds", "readiness-walk"
_FEW = {Verdict.BLOCKED: 4, Verdict.NOTE: 4, Verdict.READY: 2, Verdict.UNKNOWN: 1, Verdict.DONE: 0}
_ALL = 12
"""A list with at most this many groups is drawn without folds."""

_MOST = 200
"""Highest number of rows of one verdict; the search finds the other groups."""

_ORDER = (Verdict.BLOCKED, Verdict.NOTE, Verdict.READY, Verdict.UNKNOWN, Verdict.DONE)
_MORE = {
    Verdict.BLOCKED: "more blocked",
    Verdict.NOTE: "more with a note",
    Verdict.READY: "more ready",
    Verdict.UNKNOWN: "more unknown",
    Verdict.DONE: "already consumer",
}


def show(
    cluster: str | None,
    overall: Readiness,
    groups: Sequence[Ready],
    plan: str,
    search: str,
    verdict: str,
) -> None:
    """Draw the list. If the reader chose a group for What-if, open What-if."""
    if (walked := st.session_state.pop(_WALK, None)) is not None:
        _walk(
            cluster, overall, next((group for group in groups if key(group) == walked), None), plan
        )
    chosen = [
        group
        for group in groups
        if _passes(group, search) and verdict in ("all", group.judged.verdict.value)
    ]
    opened = _opened(groups, overall.is_part)
    opened = opened if opened in chosen else None
    is_short = verdict == "all" and not search and len(chosen) > _ALL
    sections = [
        _section(
            cluster,
            overall,
            each,
            [group for group in chosen if group.judged.verdict == each],
            plan,
            is_short,
            opened,
        )
        for each in _ORDER
    ]
    shown = _detail(cluster, overall, opened, plan) if opened else None
    table.show(
        [section for section in sections if section["rows"] or section["more"]],
        shown,
        "" if chosen else "No group matches the filters.",
        _act,
    )


def _opened(groups: Sequence[Ready], is_part: bool) -> Ready | None:
    """Return the open group. The address contains the group's place among the sorted names, or its
    name if `is_part`.
    """
    called = {key(group): group.name for group in groups}
    names = sorted(called)
    choice = ListedGroup(_OPEN, names, "", "group", called=called.__getitem__, is_part=is_part)
    chosen = choice.follow()
    choice.write()
    return next((group for group in groups if key(group) == chosen), None)


def _passes(group: Ready, search: str) -> bool:
    if not search:
        return True
    clients = (member.client_id or "" for member in group.facts.members)
    name = group.facts.group_id or group.source or ""
    return any(
        search in text.lower()
        for text in (name, group.facts.protocol or "", *group.families, *clients)
    )


def _section(
    cluster: str | None,
    overall: Readiness,
    verdict: Verdict,
    groups: Sequence[Ready],
    plan: str,
    is_short: bool,
    opened: Ready | None,
) -> dict[str, Any]:
    """Return the section of one verdict: its rows, largest groups first, and the line about its
    hidden groups.
    """
    groups = sorted(groups, key=lambda group: (-(group.member_count or 0), group.name))
    is_open = verdict in st.session_state.get(_FOLDS, ())
    few = _FEW[verdict] if is_short and not is_open else _MOST
    # The open row is always shown, whatever its place.
    shown = [group for place, group in enumerate(groups) if place < few or group is opened]
    left = len(groups) - min(few, len(groups))
    more = None
    if is_short and (left or is_open) and len(groups) > _FEW[verdict]:
        text = f"{exact(len(groups) - _FEW[verdict])} {_MORE[verdict]}"
        more = {"text": text, "note": kinds(groups[_FEW[verdict] :]), "isOpen": is_open}
    return {
        "verdict": verdict.value,
        "rows": [way(cluster, overall, group, group.assignor, plan) for group in shown],
        "more": more,
    }


def _detail(cluster: str | None, overall: Readiness, group: Ready, plan: str) -> dict[str, Any]:
    if plan == COOPERATIVE:
        return detail(way(cluster, overall, group, group.assignor, plan), group.assignor, {})
    others = _by_assignor(cluster, overall, group)
    name = advised(others, group.assignor)
    return detail(others[name], name, others, others.get(group.assignor))


def _by_assignor(cluster: str | None, overall: Readiness, group: Ready) -> dict[str, Ready]:
    return {name: way(cluster, overall, group, name, draws=DRAWS) for name in (UNIFORM, RANGE)}


def _act(text: str, value: Any) -> None:
    if text == "open":
        st.session_state[_OPEN] = value
    elif text == "fold":
        folds = set(st.session_state.get(_FOLDS, ()))
        st.session_state[_FOLDS] = folds ^ {Verdict(value)}
    else:
        st.session_state[_WALK] = value


# What-if: a step for each stop and each start of a member, with the predicted owners.


def _walk(cluster: str | None, overall: Readiness, group: Ready | None, plan: str) -> None:
    """Read the group, open it, and show its restarts as steps of What-if."""
    if group is None:
        return
    if plan == CONSUMER:
        others = _by_assignor(cluster, overall, group)
        group = others[advised(others, group.assignor)]
    else:
        group = way(cluster, overall, group, group.assignor, plan)
    if group.way is None or any(bounce.member == EXTRA for bounce in group.way.bounces):
        problem.show(
            "This plan cannot be opened in What-if: first an extra member joins, and no"
            " step can name this member yet."
        )
        return
    if _open(cluster, overall, group):
        address.lead_to(steps=text_of(Draft([NamedSteps(None, steps(group))])))
        st.switch_page(WHAT_IF.script)


def _open(cluster: str | None, overall: Readiness, group: Ready) -> bool:
    if cluster is not None:
        return live.open_now(cluster, group.facts.group_id)
    place = next(place for place, each in enumerate(overall.groups) if key(each) == key(group))
    open_group(overall.opened[place])
    return True


def steps(group: Ready) -> list[Step]:
    """Return the restarts of a group as steps. A step has the owners after the restart. A step
    without moves has only a name.
    """
    observed = group.observed
    if group.way is None or observed is None or observed.current is None:
        return []
    result, before = [], observed.current.owner
    for bounce in group.way.bounces:
        who = group.label(bounce.member)
        for act, owners in (("stops", bounce.stopped), ("starts again", bounce.started)):
            if owners is None:
                continue
            name = f"{who} {'restarts, static' if bounce.is_static else act}"
            moved = _moved(observed, before, owners)
            result.append(Step(name=name, edits=[SetOwners(owners=moved)] if moved else []))
            before = owners.owner
    return result


def _moved(
    observed: ObservedGroup, before: np.ndarray, owners: Owners
) -> dict[str, dict[str, list[int]]]:
    owner = owners.owner
    tps = np.flatnonzero((owner != before) & (owner >= 0))
    return plan_by_name(observed.snapshot, owner, tps)
