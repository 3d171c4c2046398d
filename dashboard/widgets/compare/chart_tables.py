"""The figures behind the charts of Compare, as tables."""

import numpy as np
import pandas as pd
import streamlit as st

from evenkeel.assignors.figures.balance import Balance
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.charts.fit_scatter import LAG, PARTITIONS, Fit
from evenkeel.dashboard.charts.loads import lag_load
from evenkeel.dashboard.tables.moves import LAG_UNKNOWN
from evenkeel.dashboard.view import View
from evenkeel.dashboard.widgets.parts import long_table
from evenkeel.dashboard.words.names import under


def show(view: View, current: Row, candidate: Row, fits: list[Fit]) -> None:
    """Draw a closed box; make its tables when it is opened."""
    # Streamlit runs the body of a closed expander too; `open` is known only with `on_change="rerun"`.
    box = st.expander("Figures behind the charts", key="chart-tables", on_change="rerun")
    with box:
        if box.open:
            long_table.show(members(view, current, candidate), "Lag and partitions of each member")
            ratios = st.column_config.NumberColumn(format="%.3f")
            long_table.show(assignors(fits), "Fit of each assignor", {PARTITIONS: ratios, LAG: ratios})


def members(view: View, current: Row, candidate: Row) -> pd.DataFrame:
    """Return lag and partitions of every member, in the charts' order; unknown is null.

    If some lags are unknown, the lag of a member is a lower bound, and its unknown lags are counted.
    """
    member_id = view.comparison.group.member_id
    columns = {"Member": [view.names[member] for member in view.order], "Member id": [member_id[member] for member in view.order]}
    is_partial = any(row.balance and row.balance.lag_is_partial for row in (current, candidate))
    for noun, values in (("Lag", _lag), *[(LAG_UNKNOWN, _unknown)] * is_partial, ("Partitions", _count)):
        for word, row in (("now", current), (under(candidate.name), candidate)):
            numbers = values(row.balance, view.order) if row.balance else np.full(len(view.order), np.nan)
            columns[f"{noun} {word}"] = pd.array(numbers, dtype="Float64").astype("Int64")
    return pd.DataFrame(columns)


def _lag(balance: Balance, members: np.ndarray) -> np.ndarray:
    return lag_load(balance, members).values


def _unknown(balance: Balance, members: np.ndarray) -> np.ndarray:
    return balance.unknown_lag_count[members]


def _count(balance: Balance, members: np.ndarray) -> np.ndarray:
    return balance.partition_count[members]


def assignors(fits: list[Fit]) -> pd.DataFrame:
    """Return the fits of the scatter."""
    return pd.DataFrame(fits).iloc[:, :3].set_axis(["Assignor", PARTITIONS, LAG], axis=1)
