"""An open share of a group or an application: its parts, steps and answers, and the button Fork."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

import msgspec
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.names import in_badge, literal, process_names
from evenkeel.dashboard.overview import panel
from evenkeel.dashboard.parts import diagnosis_text
from evenkeel.dashboard.parts.task_tables import (
    COLUMNS,
    differing_cells,
    frozen_cells,
    frozen_holders,
)
from evenkeel.dashboard.shares import links, report_files
from evenkeel.dashboard.shares.forks import fork, fork_application, fork_words
from evenkeel.dashboard.shares.loading.opened import (
    AnyOpen,
    Line,
    OpenApplication,
    OpenRebalances,
    OpenShare,
    bands_of,
    diagnosis_of,
)
from evenkeel.dashboard.shares.share_facts import show_bar, show_facts
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.choice import Number, Options
from evenkeel.dashboard.shell.navigation import COMPARE, OVERVIEW, WHAT_IF
from evenkeel.dashboard.steps import strip
from evenkeel.dashboard.steps.strips import step_strip
from evenkeel.dashboard.steps.tables import differing
from evenkeel.dashboard.whatif import charts
from evenkeel.data.compare.advice import ResultAdvice
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.scenarios.run.group_step import listed_answer
from evenkeel.data.scenarios.run.step_drains import current_drain_of
from evenkeel.data.scenarios.run.step_figures import titles_of, with_current
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, MOST_STEPS
from evenkeel.data.text.formats import count

_STEP = Number("share-step", "the step", MOST_STEPS, name="step")
_CANDIDATE = "share-candidate"


_OVERVIEW, _ANSWERS = "overview", "answers"


def show(share: OpenShare) -> None:
    """Draw the share of a group: its frozen Overview, or the answers of one step.

    The step and the candidate come from the address.
    """
    _show_title(share)
    show_bar(share)
    differ = differing(share.figures, share.was) if share.was else None
    if _choose_part(share) == _OVERVIEW:
        panel.show(_frozen(bands_of(share.head, share.result)), lambda remedy: None, lambda: None)
        show_facts(share, differ)
    else:
        show_facts(share, differ)
        _show_steps(share)


def _choose_part(share: OpenShare) -> str:
    """Draw the tabs "Overview" and answers, and return the chosen tab.

    If the address names a step or a candidate, the tab of answers is chosen first.
    """
    texts = {
        _OVERVIEW: OVERVIEW.title,
        _ANSWERS: WHAT_IF.title if share.scenario.steps else COMPARE.title,
    }
    first = _ANSWERS if address.says("step", "candidate") else _OVERVIEW
    choice = Options("share-part", texts, _OVERVIEW, "part", "part")
    replace(choice, default=first).follow()
    return choice.show("Part of the share")


def _frozen(bands: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of Overview, without the parts that need a live group."""
    rows = [row | {"tries": None} for row in bands["helps"]["rows"]]
    problem = {"input": []} | bands["what"] | {"later": None}
    return {**bands, "what": problem, "helps": bands["helps"] | {"rows": rows}}


def _show_steps(share: OpenShare) -> None:
    figures, used, names = share.figures, in_use(share.result.listed), titles_of(share.result)
    step = _step(len(names))
    listed, answers = share.result.listed, share.result.steps[step]
    advice = ResultAdvice(share.result, diagnosis_of(share.head, share.result), share.gain)
    candidate = _candidate(list(figures[0]), advice.first(step))
    if sentences := advice.sentences(step):
        diagnosis_text.show_sentence(*sentences)
    if names:
        strip.show(
            step_strip(names, figures, candidate),
            step,
            _STEP.choose,
            key="share-strip",
            label="Steps of the share",
        )
    rows = with_current(figures, step, listed, current_drain_of(share.head))
    kind = listed.group_type
    charts.show_table(
        rows,
        step,
        candidate,
        used,
        _pick_candidate,
        was=share.was,
        group_type=kind,
        key="share-table",
    )
    beside = answers.get(used or "") if step else listed_answer(listed)
    if not names:
        charts.show_members(beside, answers.get(candidate), step)
    else:
        left, right = st.columns([36, 64], gap="small")
        with left:
            charts.show_over_steps(
                figures, step, candidate, used, [AS_LISTED, *names], pick=_STEP.choose
            )
        with right:
            charts.show_members(beside, answers.get(candidate), step)
    address.show(step=str(step) if step != len(names) else None, candidate=candidate)


def _title(
    share: AnyOpen, name: str, icon: str = "group_work", steps: int | None = None
) -> DeltaGenerator:
    """Draw title, badges and the button "Copy link"; return the container of this line."""
    kind, kind_icon = "Rebalances", "published_with_changes"
    if steps is not None:
        kind = f"What-if, {count(steps, 'step')}" if steps else "Comparison"
        kind_icon = "experiment"
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with row:
        st.title(literal(share.about.title), anchor=False, width="content")
        st.badge(in_badge(name), icon=f":material/{icon}:", color="gray")
        st.badge(kind, icon=f":material/{kind_icon}:", color="yellow")
        st.space("stretch")
        links.show_copy_link()
    return row


def _is_forked(share: OpenShare | OpenApplication) -> bool:
    """Draw the button "Fork"; return whether it was clicked."""
    return st.button(
        "Fork", key="fork", type="primary", icon=":material/fork_right:", help=fork_words(share)
    )


def _show_title(share: OpenShare) -> None:
    steps = len(share.scenario.steps)
    with _title(share, share.scenario.group.group_id or "group without a name", steps=steps):
        with st.popover(
            "Report", icon=":material/description:", on_change="rerun", key="share-report"
        ) as menu:
            if menu.open:
                step = st.session_state.get(_STEP.key)
                report_files.show_of_share(
                    share,
                    steps if step is None else step,
                    st.session_state.get(_CANDIDATE, ""),
                )
        if _is_forked(share):
            fork(share)


def _step(last: int) -> int:
    step = _STEP.follow()
    return last if step is None else min(step, last)


def _candidate(names: list[str], first: str | None) -> str:
    linked = address.take("candidate")
    if linked in names:
        st.session_state[_CANDIDATE] = linked
    chosen = st.session_state.get(_CANDIDATE)
    if chosen in names:
        return chosen
    return first if first in names else names[0]


def _pick_candidate(name: str) -> None:
    st.session_state[_CANDIDATE] = name


# The top of a share of rebalances. The page Rebalances draws the other parts.


def show_top(share: OpenRebalances) -> None:
    """Draw the title, the bar and the facts of a share of rebalances."""
    _title(share, share.group)
    show_bar(share)
    show_facts(share, None)


# An opened share of an application: its bar, facts and steps, each assignor's answer, and the
# owners of tasks.


def show_application(share: OpenApplication) -> None:
    """Draw the share of an application. The step and the assignor come from the address."""
    _show_application_title(share)
    show_bar(share)
    show_facts(share, differing_cells(share.lines, share.was) if share.was else None)
    processes = share.scenario.group.processes or []
    names = dict(
        zip((process.process_id for process in processes), process_names(processes), strict=True)
    )
    titles = [AS_LISTED, *(step.title(names) for step in share.scenario.steps)]
    texts = {str(number): f"{number}  {title}" for number, title in enumerate(titles)}
    assignors = list(share.lines[0])
    place = Options("share-task-step", texts, str(len(titles) - 1), "step", "step")
    choice = Options("share-task-assignor", assignors, assignors[0], "assignor", "candidate")
    place.follow()
    choice.follow()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        look = {"label_visibility": "visible", "width": 340}
        step = int(place.select("Step", **look)) if len(titles) > 1 else 0
        assignor = choice.select("Assignor", **look)
    _show_answers(share.lines[step], share.was[step] if share.was else None, assignor)
    rows = frozen_holders(share.lines[step][assignor], names)
    if rows:
        st.subheader(f"Who has which task under {assignor}", anchor=False)
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt=f"Holders of tasks under {assignor}")


def _show_application_title(share: OpenApplication) -> None:
    name = share.scenario.group.application_id or "application without a name"
    with _title(share, name, "account_tree", len(share.scenario.steps)):
        scenario = msgspec.json.encode(share.scenario)
        st.download_button(
            "Scenario",
            scenario,
            "scenario.json",
            "application/json",
            key="share-scenario",
            icon=":material/download:",
        )
        if _is_forked(share):
            fork_application(share)


# Each task assignor's answer in a step of a share, with frozen figures if they differ.


def _show_answers(lines: Mapping[str, Line], was: Mapping[str, Line] | None, chosen: str) -> None:
    """Draw one row for each assignor: its figures, or its error."""
    heads = "".join(f"<th>{head}</th>" for head in COLUMNS)
    rows = "".join(
        _row(line, (was or {}).get(name), name == chosen) for name, line in lines.items()
    )
    st.html(
        '<div class="restarts'
        f' downtimes"><table><thead><tr><th>Assignor</th>{heads}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(line: Line, was: Line | None, is_chosen: bool) -> str:
    note = ' <span class="note">shown</span>' if is_chosen else ""
    name = f"<th>{escape(line['assignor'])}{note}</th>"
    if line["error"]:
        text = escape(
            f"Kafka's own class throws {line['error']['type']}: {line['error']['message']}"
        )
        return f'<tr>{name}<td colspan="{len(COLUMNS)}" class="worse">{text}</td></tr>'
    return f"<tr>{name}{''.join(_cell(*cell) for cell in frozen_cells(line, was))}</tr>"


def _cell(text: str, was: str) -> str:
    former = f' <span class="note">was {escape(was)}</span>' if was else ""
    return f"<td>{escape(text)}{former}</td>"
