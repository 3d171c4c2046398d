"""An opened share of an application: its bar, facts, steps, what each assignor does, and who has which task."""

import msgspec
import pandas as pd
import streamlit as st

from evenkeel.dashboard.loading.shares import OpenApplication
from evenkeel.dashboard.tables.task_assignors import differing_cells, frozen_holders
from evenkeel.dashboard.widgets.parts import address
from evenkeel.dashboard.widgets.shares import copy_link, forking
from evenkeel.dashboard.widgets.shares.page import application_table, facts, frozen_bar
from evenkeel.dashboard.words.names import in_badge, literal, process_names
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.words.formats import count

_STEP, _ASSIGNOR = "share-task-step", "share-task-assignor"


def show(share: OpenApplication) -> None:
    """Draw the share at the step and for the assignor that the address names."""
    _show_title(share)
    frozen_bar.show(share)
    facts.show(share, differing_cells(share.lines, share.was) if share.was else None)
    processes = share.scenario.group.processes or []
    names = dict(zip((process.process_id for process in processes), process_names(processes), strict=True))
    titles = [AS_LISTED, *(step.title(names) for step in share.scenario.steps)]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        last = len(titles) - 1
        step = _chosen("Step", _STEP, "step", range(last + 1), last, lambda number: f"{number}  {titles[number]}") if last else 0
        assignor = _chosen("Assignor", _ASSIGNOR, "candidate", list(share.lines[0]), 0, str)
    application_table.show(share.lines[step], share.was[step] if share.was else None, assignor)
    rows = frozen_holders(share.lines[step][assignor], names)
    if rows:
        st.subheader(f"Who has which task under {assignor}", anchor=False)
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt=f"Holders of tasks under {assignor}")


def _chosen(label: str, key: str, link: str, options, default: int, words) -> int | str:
    """Draw a choice that starts with what the address names."""
    linked = address.take(link)
    named = next((option for option in options if str(option) == linked), None)
    if named is not None:
        st.session_state[key] = named
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[default]
    chosen = st.selectbox(label, options, format_func=words, key=key, persist_state="session", width=340)
    address.show(**{link: None if chosen == options[default] else str(chosen)})
    return chosen


def _show_title(share: OpenApplication) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(literal(share.about.title), anchor=False, width="content")
        st.badge(
            in_badge(share.scenario.group.application_id or "application without a name"), icon=":material/account_tree:", color="gray"
        )
        steps = len(share.scenario.steps)
        st.badge(f"What-if, {count(steps, 'step')}" if steps else "Comparison", icon=":material/experiment:", color="yellow")
        st.space("stretch")
        copy_link.show()
        scenario = msgspec.json.encode(share.scenario)
        st.download_button("Scenario", scenario, "scenario.json", "application/json", key="share-scenario", icon=":material/download:")
        if st.button("Fork", key="fork", type="primary", icon=":material/fork_right:", help=forking.words(share)):
            forking.fork_application(share)
