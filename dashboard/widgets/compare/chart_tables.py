"""The figures behind the charts of Compare, as tables."""

import numpy as np
import pandas as pd
import streamlit as st

from assignors.figures.balance import Balance
from assignors.figures.comparison import Row
from dashboard.charts.numbers.fits import LAG, PARTITIONS, Fit
from dashboard.charts.numbers.loads import lag_load
from dashboard.view import View
from dashboard.widgets.parts import long_table
from dashboard.words.names import under


def show(view: View, current: Row, candidate: Row, fits: list[Fit]) -> None:
    """Draw a closed box; its tables are made when it is opened."""
    box = st.expander("Figures behind the charts", key="chart-tables", on_change="rerun")
    with box:
        if box.open:
            long_table.show(members(view, current, candidate), "Lag and partitions of each member")
            ratios = st.column_config.NumberColumn(format="%.3f")
            long_table.show(assignors(fits), "Fit of each assignor", {PARTITIONS: ratios, LAG: ratios})


def members(view: View, current: Row, candidate: Row) -> pd.DataFrame:
    """Return lag and partitions of every member, in the charts' order; unknown is null. Where the lag of some partitions is unknown, these are counted: a lag is then a lower bound."""
    columns = {"Member": [view.names[member] for member in view.order], "Member id": [view.comparison.group.member_id[member] for member in view.order]}
    is_partial = any(row.balance and row.balance.lag_is_partial for row in (current, candidate))
    for noun, values in (("Lag", _lag), *[("Lag unknown", _unknown)] * is_partial, ("Partitions", _count)):
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
    """Return what the scatter shows."""
    return pd.DataFrame(fits).iloc[:, :3].set_axis(["Assignor", PARTITIONS, LAG], axis=1)
