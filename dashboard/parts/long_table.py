"""A table with dense rows, thousands separators, and `–` for unknown values."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from evenkeel.data.text.formats import UNKNOWN

_ROW = 28
_HEAD = 38
_NUMBER = st.column_config.NumberColumn(format="localized")


def choose(
    frame: pd.DataFrame,
    name: str,
    key: str,
    columns: Mapping[str, object] | None = None,
    most_height: int = 420,
) -> int | None:
    """Draw the table as `show` does. Return the number of the selected row, or None."""
    chosen = show(
        frame, name, columns, most_height, key=key, on_select="rerun", selection_mode="single-row"
    ).selection.rows
    return chosen[0] if chosen and chosen[0] < len(frame) else None


def show(
    frame: pd.DataFrame,
    name: str,
    columns: Mapping[str, object] | None = None,
    most_height: int = 420,
    **selecting: Any,
) -> Any:
    """Draw the table in its full height, at most `most_height` pixels.

    `name`: for screen readers. `columns`: column configurations that replace the default ones.
    """
    numbers = {
        column: _NUMBER for column in frame.columns if pd.api.types.is_numeric_dtype(frame[column])
    }
    height = min(_ROW * len(frame) + _HEAD, most_height)
    config = numbers | dict(columns or {})
    return st.dataframe(
        frame,
        hide_index=True,
        row_height=_ROW,
        height=height,
        placeholder=UNKNOWN,
        column_config=config,
        alt=name,
        **selecting,
    )
