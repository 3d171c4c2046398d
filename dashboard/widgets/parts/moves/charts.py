"""Who owns what after a change, and who gives to whom, drawn by how much there is to show."""

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.charts import frame, move_matrix, tile_grid, topic_heat_map
from evenkeel.dashboard.charts.tile_grid import holdings
from evenkeel.dashboard.tables import moves
from evenkeel.dashboard.view import Change, View
from evenkeel.dashboard.widgets.parts import long_table, plot
from evenkeel.dashboard.words.names import worst_of_both
from evenkeel.data.words.formats import compact_sum, count

_MOST_STACKED = 3_000
_MOST_PAIRS = 500


def show(view: View, change: Change, words: tuple[str, str]) -> None:
    """Draw tiles or stacks (up to 3,000 partitions and 60 members), else a heat map; beside it the matrix, else the pairs.

    `words` names both assignments.
    """
    small = len(view.names) <= move_matrix.MOST_MEMBERS
    held = holdings(change.pairs, change.lag)
    shown = (held, view.names, view.comparison.group.topic_name, view.order)
    above = move_matrix.names_height(view.names)
    if small and len(change.lag) <= _MOST_STACKED:
        figure = loading.figure(view, words, tile_grid.tile_grid, *shown, above)
    else:
        lag_after = change.moves.retained.lag + change.moves.added.lag
        order = worst_of_both(view.order, lag_after, topic_heat_map.SINGLE_ROWS)
        figure = loading.figure(view, words, topic_heat_map.topic_heat_map, *shown[:-1], order, words)
    found = change.moves
    lag = compact_sum(found.moved_lag, found.moved_lag_is_partial)
    moved = f"{count(found.moved_count, 'partition')} of {len(change.lag):,} move, with {lag} records of lag"
    finding = f"{moved}; {found.retained_count:,} stay"
    left, right = st.columns([62, 38], gap="small")
    with left:
        plot.show(figure, "holdings", finding)
    with right:
        if small:
            above = figure.layout["margin"]["t"] - frame.TITLES
            matrix = loading.figure(view, words, move_matrix.move_matrix, found, view.names, view.order, above)
            plot.show(matrix, "matrix", f"Moves from member to member: {finding}")
        else:
            _show_pairs(moves.by_pair(view, change), int(figure.layout["height"]) - 40)


def _show_pairs(pairs, height: int) -> None:
    first = f", the first {_MOST_PAIRS}" if len(pairs) > _MOST_PAIRS else ""
    st.html(f'<b class="table-title">From → to</b> <span class="note">{count(len(pairs), "pair")}, most lag first{first}</span>')
    long_table.show(pairs.head(_MOST_PAIRS), "Moves by pair of members", most_height=max(height, 200))
