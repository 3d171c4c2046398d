"""The figures of all steps as CSV: one line for each step and assignor."""

from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd

from dashboard.tables.csv_text import csv_text, harmless
from dashboard.words.answers.failures import in_words
from dashboard.words.answers.steps import AS_LISTED
from data.scenarios.run.step_figures import Figures, StepFigures

_WHOLE = (
    "members_before",
    "members",
    "partitions",
    "max_partitions",
    "min_partitions",
    "idle_members",
    "lag_before",
    "lag",
    "moved_partitions",
    "moved_lag",
    "paused_partitions",
    "rebalances",
)
_COLUMNS = ("step", "name", "assignor", *_WHOLE, "max_lag_share", "lag_is_least", "moved_lag_is_least", "never_ends", "error")


def steps_csv(names: Sequence[str | None], figures: Figures) -> str:
    """Return the figures, unknown ones as empty cells; `names` of the steps after the group as listed."""
    lines = [
        _line(number, AS_LISTED if not number else names[number - 1] or f"step {number}", step)
        for number, answers in enumerate(figures)
        for step in answers.values()
    ]
    frame = pd.DataFrame(lines, columns=list(_COLUMNS))
    # Not float64 with NaN: it rounds numbers beyond 2 ** 53.
    return csv_text(frame.astype(dict.fromkeys(_WHOLE, "Int64")), _COLUMNS)


def _line(number: int, name: str, step: StepFigures) -> dict:
    figures = asdict(step) | {"error": in_words(step.error) if step.error else None}
    return {"step": number, "name": harmless(name), "assignor": harmless(step.name)} | {key: figures[key] for key in _COLUMNS[3:]}
