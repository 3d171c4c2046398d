"""Times of listings on their rows: those of the lines above them that say one."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
import pyarrow as pa

from evenkeel.data.tables.field_lists import TIME
from evenkeel.data.tables.parsed import KEYED, Parsed, tables_of


def with_times(parsed: Parsed, times: Sequence[tuple[int, datetime | None]]) -> Parsed:
    """Give each row the time of the last line above it that says one; `times`: numbers of these lines, from 0 up, and what they say."""
    lines, told = np.array([line for line, _ in times]), pa.array([time for _, time in times], TIME)
    return replace(parsed, **{name.lower(): _told(table, lines, told) for name, table in tables_of(parsed).items() if name in KEYED})


def _told(table: pa.Table, lines: np.ndarray, told: pa.Array) -> pa.Table:
    above = np.searchsorted(lines, table["source_line"].to_numpy(), side="right") - 1
    return table.set_column(table.schema.get_field_index("taken_at"), table.schema.field("taken_at"), told.take(pa.array(above)))
