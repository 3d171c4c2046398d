"""The comparison of task assignors: rows of `--json`, and a text table."""

from collections.abc import Sequence
from typing import Any

from evenkeel.assignors.compare.comparison import CURRENT
from evenkeel.data.commands.text import aligned_lines, printable
from evenkeel.data.compare.tables import Figures
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.run.application_step import (
    NO_FIGURES,
    TaskStep,
    assumed_of_step,
    figures_as_listed,
    figures_of_step,
    task_assignor,
)
from evenkeel.data.scenarios.run.results import ApplicationResult
from evenkeel.data.text.formats import UNKNOWN

_TASK_COLUMNS = {
    "max_active_tasks": "max active",
    "min_active_tasks": "min",
    "max_stateful_tasks": "max stateful",
    "min_stateful_tasks": "min",
    "standby_tasks": "standbys",
    "warmup_tasks": "warm-ups",
    "moved_tasks": "moved",
    "records_to_restore": "records to restore",
    "seconds_to_restore": "s to restore",
    "tasks_without_caught_up_copy": "no caught-up copy",
    "rounds": "rounds",
    "seconds_to_balance": "s to balance",
    "probing_rebalance": "probing",
}


def task_rows(result: ApplicationResult, step: int) -> list[Figures]:
    """Return the figures before a step, then the figures of each assignor after the step.

    From the second step on, the figures before a step are unknown.
    """
    answers, document = result.steps[step], result.scenario.group
    lag = task_assignor(next(iter(answers)), document.settings).acceptable_recovery_lag
    before = figures_as_listed(document, lag) if step <= 1 else NO_FIGURES
    current = Figures({"assignor": CURRENT, **before, "assumed": [], "error": None}, {}, False)
    return [current, *map(_figures, answers.values())]


def _figures(step: TaskStep) -> Figures:
    error = {"type": step.error.java_class, "message": str(step.error)} if step.error else None
    return Figures(
        {
            "assignor": step.name,
            **figures_of_step(step),
            "assumed": assumed_of_step(step),
            "error": error,
        },
        {},
        False,
    )


def task_table(document: Application, figures: Sequence[Figures]) -> str:
    """Return a line about the application, a line for each assignment, and the assumptions."""
    rows, cells = [row_figures.row for row_figures in figures], task_cells(figures)
    lines, width = aligned_lines(cells), max(len(row[0]) for row in cells)
    for place, row in enumerate(rows, 1):
        if row["error"]:
            lines[place] = (
                f"{row['assignor']:<{width}}  {row['error']['type']}: {row['error']['message']}"
            )
    assumed = sorted({path for row in rows for path in row["assumed"]})
    notes = ["", f"assumed: {', '.join(assumed)}"] if assumed else []
    return (
        "\n".join(printable(line) for line in (about_application(document), "", *lines, *notes))
        + "\n"
    )


def task_cells(figures: Sequence[Figures]) -> list[list[str]]:
    """Return the cells of the table; the first row is the header."""
    rows = (
        [
            row_figures.row["assignor"],
            *(_task_cell(row_figures.row[figure]) for figure in _TASK_COLUMNS),
        ]
        for row_figures in figures
    )
    return [["assignor", *_TASK_COLUMNS.values()], *rows]


def about_application(document: Application) -> str:
    """Return a line about an application: its name, size and age."""
    tasks, processes = document.tasks or [], document.processes or []
    facts = {
        "processes": len(processes),
        "consumers": sum(len(process.consumers) for process in processes),
        "tasks": len(tasks),
        "stateful": sum(task.stateful for task in tasks),
    }
    name = (
        "application without a name" if document.application_id is None else document.application_id
    )
    taken = [f"as of {document.taken_at:%Y-%m-%d %H:%M:%S %Z}"] if document.taken_at else []
    return " · ".join([name, *(f"{noun} {number:,}" for noun, number in facts.items()), *taken])


def _task_cell(value: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.0f}"
