"""Which numbered behaviours of Kafka strike in the first rebalance that is shown, and whom."""

from html import escape

import numpy as np
import streamlit as st

from evenkeel.assignors.explain.task_quirks import SENTENCES, TaskQuirk, task_quirks
from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.dashboard.view import ApplicationView, TaskRounds
from evenkeel.data.words.formats import count, listed

_MOST = 4


def show(view: ApplicationView, found: TaskRounds, assignor: TaskAssignor) -> None:
    """Draw a line for each behaviour; nothing where none strikes."""
    first = found.rounds[0]
    quirks = task_quirks(first.application, assignor, first.answer)
    if quirks:
        lines = "".join(_line(view, quirk) for quirk in quirks)
        st.html(f'<p class="task-legend"><b>Caveats</b></p><dl class="remarks meanings">{lines}</dl>')


def _line(view: ApplicationView, quirk: TaskQuirk) -> str:
    return f'<div><dt class="who">{quirk.name}</dt><dd>{escape(_in_words(view, quirk))}</dd></div>'


def _in_words(view: ApplicationView, quirk: TaskQuirk) -> str:
    struck = _listed("task", view.tasks, quirk.task) if quirk.task.size else _listed("instance", view.processes, quirk.process)
    return f"{SENTENCES[quirk.name]}{f' Here: {struck}.' if struck else ''}"


def _listed(noun: str, names: tuple[str, ...], rows: np.ndarray) -> str:
    shown = [names[row] for row in rows.tolist()]
    return f"{count(len(shown), noun)}, {listed(shown, _MOST)}" if shown else ""
