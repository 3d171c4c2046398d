"""The figures behind the charts of Compare, for who reads tables rather than pictures."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from assignors.balance import Balance
from assignors.comparison import Row
from dashboard.charts.fits import Fit
from dashboard.charts.loads import Load, count_load, lag_load
from dashboard.loading import View
from dashboard.names import under
from dashboard.widgets import long_table


def show(view: View, current: Row, candidate: Row, fits: list[Fit]) -> None:
    """Draw a closed box; its tables are made when it is opened."""
    box = st.expander("Figures behind the charts", key="chart-tables", on_change="rerun")
    with box:
        if box.open:
            long_table.show(members(view, current, candidate), "Lag and partitions of each member")
            ratios = st.column_config.NumberColumn(format="%.3f")
            long_table.show(assignors(fits), "Fit of each assignor", {"Partitions, max ÷ mean": ratios, "Lag, max ÷ mean": ratios})


def members(view: View, current: Row, candidate: Row) -> pd.DataFrame:
    """Return lag and partitions of every member, in the charts' order; lag that nobody knows is null, a sum over some of it counts what is known."""
    columns = {"Member": [view.names[member] for member in view.order], "Member id": [view.observed.snapshot.member_id[member] for member in view.order]}
    for noun, load in (("Lag", lag_load), ("Partitions", count_load)):
        for word, row in (("now", current), (under(candidate.name), candidate)):
            columns[f"{noun} {word}"] = pd.array(_values(load, row, view), dtype="Float64").astype("Int64")
    return pd.DataFrame(columns)


def _values(load: Callable[[Balance, np.ndarray], Load], row: Row, view: View) -> np.ndarray:
    return load(row.balance, view.order).values if row.balance else np.full(len(view.order), np.nan)


def assignors(fits: list[Fit]) -> pd.DataFrame:
    """Return what the scatter shows."""
    return pd.DataFrame(fits).set_axis(["Assignor", "Partitions, max ÷ mean", "Lag, max ÷ mean"], axis=1)
