"""Tables as CSV: empty cells for unknown, and no cell that a spreadsheet takes for a formula."""

from collections.abc import Sequence

import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def harmless(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(_FORMULA) else name


def csv_text(frame: pd.DataFrame, columns: Sequence[str]) -> str:
    """Return a frame as CSV under the names of `columns`."""
    return frame.set_axis(list(columns), axis=1).to_csv(index=False, lineterminator="\r\n")
