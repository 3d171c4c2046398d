"""Charts of owners after a change, and of moves between members.

The size of the group decides the kind of chart.
"""

from functools import partial

import numpy as np
import streamlit as st

from evenkeel.dashboard.best import why
from evenkeel.dashboard.moves import move_matrix, tile_grid, topic_heat_map
from evenkeel.dashboard.moves.holdings import Holdings, holdings
from evenkeel.dashboard.names import worst_of_both
from evenkeel.dashboard.parts import frame, long_table, move_tables, plot
from evenkeel.dashboard.shell.account import at_click
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.view import Change, View
from evenkeel.data.text.formats import compact_sum, count, exact

_MOST_STACKED = 3_000
_MOST_PAIRS = 500
_MOST_FIGURES = 6
"""Highest number of topics that a narrow window draws below each other."""


def show_charts(view: View, change: Change, words: tuple[str, str]) -> None:
    """For up to 3,000 partitions and 60 members, draw tiles or stacks; otherwise a heat map. Next
    to this chart, draw the matrix of moves, or the pairs of members.

    `words`: names of both assignments.
    """
    small = len(view.names) <= move_matrix.MOST_MEMBERS
    held = holdings(change.pairs, change.lag)
    shown = (held, view.names, view.comparison.group.topic_name, view.order)
    above = move_matrix.names_height(view.names)
    if small and len(change.lag) <= _MOST_STACKED:
        figure = views.figure(view, words, tile_grid.tile_grid, *shown, above)
    else:
        lag_after = change.moves.retained.lag + change.moves.added.lag
        order = worst_of_both(view.order, lag_after, topic_heat_map.SINGLE_ROWS)
        figure = views.figure(view, words, topic_heat_map.topic_heat_map, *shown[:-1], order, words)
    moves = change.moves
    lag = compact_sum(moves.moved_lag, moves.moved_lag_is_partial)
    moved = (
        f"{count(moves.moved_count, 'partition')} of {len(change.lag):,} move, with {lag} records"
        " of lag"
    )
    finding = f"{moved}; {moves.retained_count:,} stay"
    left, right = st.columns([62, 38], gap="small")
    with left:
        if plot.width() and small and len(change.lag) <= _MOST_STACKED:
            _show_topics(view, held, words, finding)
        else:
            plot.show(figure, "holdings", finding)
    with right:
        if small:
            above = figure.layout["margin"]["t"] - frame.TITLES
            matrix = views.figure(
                view, words, move_matrix.move_matrix, moves, view.names, view.order, above
            )
            plot.show(matrix, "matrix", f"Moves from member to member: {finding}")
        else:
            _show_pairs(move_tables.by_pair(view, change), int(figure.layout["height"]) - 40)


def _show_topics(view: View, held: Holdings, words: tuple[str, str], finding: str) -> None:
    """Draw the tiles of each topic below the tiles of the previous topic. If there are many topics,
    draw one figure, which has a tile for each topic of a member.
    """
    names = view.comparison.group.topic_name
    topics = np.unique(held.topic).tolist()
    if len(topics) > _MOST_FIGURES:
        topics = [tile_grid.ALL_TOPICS]
    for topic in topics:
        figure = views.figure(
            view, words, tile_grid.narrow_tiles, held, view.names, names, view.order, topic
        )
        plot.show(figure, f"holdings-{topic}", finding)


def _show_pairs(pairs, height: int) -> None:
    first = f", the first {_MOST_PAIRS}" if len(pairs) > _MOST_PAIRS else ""
    st.html(
        f'<b class="table-title">From → to</b> <span class="note">{count(len(pairs), "pair")}, most'
        f" lag first{first}</span>"
    )
    long_table.show(
        pairs.head(_MOST_PAIRS), "Moves by pair of members", most_height=max(height, 200)
    )


# The list below the charts: partitions by kind, or sums by pair or by member, each with its own
# CSV.


_MOST_ROWS = 1_000
_SHARE = "Share of known lag"
_SUMS = {
    "By pair": (
        "From → to",
        "moves between members, most lag first",
        move_tables.by_pair,
        move_tables.pairs_csv,
    ),
    "By member": (
        "Members",
        "before + added − revoked = after",
        move_tables.by_member,
        move_tables.members_csv,
    ),
}
_NONE = {
    "Moved": "No partition moves from one member to another.",
    "Kept": "No partition stays with its member.",
    "Previously unowned": "Every partition had an owner before.",
    "Left unowned": "Afterwards every partition has an owner.",
    "All": "No partition has an owner, before or after.",
}


def _in_address(kind: str) -> str:
    return kind.lower().replace(" ", "-")


_KINDS = {_in_address(kind): kind for kind in (*move_tables.KINDS, *_SUMS)}
_ROWS = Options("rows", _KINDS, "moved", "rows")


def show_rows(
    view: View, change: Change, before: str, after: str, decider: why.Decider | None = None
) -> None:
    """Draw the heading with its choices, then the table. The CSV file has all rows of the chosen
    kind.

    `before`, `after`: names of the assignments. `decider`: explains a partition's owner after the
    change, None if there is no explanation.
    """
    _ROWS.follow()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading = st.empty()
        st.space("stretch")
        kind = _KINDS[_ROWS.show("Rows")]
        rows = move_tables.rows_of(change, "All" if kind in _SUMS else kind)
        # A callable, so that Streamlit makes the CSV only when the button is clicked.
        data = (
            partial(_SUMS[kind][-1], view, change)
            if kind in _SUMS
            else partial(move_tables.partitions_csv, view, change, rows)
        )
        file_name = f"{_in_address(kind)}-{before}-to-{after}.csv"
        st.download_button(
            "CSV",
            at_click(data),
            file_name,
            "text/csv",
            key="moves-csv",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )
    if kind in _SUMS:
        title, note, sums, _ = _SUMS[kind]
        heading.html(f'<b class="table-title">{title}</b> <span class="note">{note}</span>')
        long_table.show(sums(view, change), title)
    else:
        more = f", the first {exact(_MOST_ROWS)}; the CSV has all" if len(rows) > _MOST_ROWS else ""
        note = f"{exact(len(rows))} of {count(len(change.lag), 'partition')}, most lag first{more}"
        heading.html(f'<b class="table-title">{_titled(kind)}</b> <span class="note">{note}</span>')
        _show_partitions(view, change, kind, rows, decider)


def _show_partitions(
    view: View, change: Change, kind: str, rows: np.ndarray, decider: why.Decider | None
) -> None:
    if not len(rows):
        st.info(_NONE[kind])
        return
    table = move_tables.by_partition(view, change, rows[:_MOST_ROWS])
    columns = {
        _SHARE: st.column_config.ProgressColumn(
            format="%.1f %%", min_value=0, max_value=100, color="violet"
        )
    }
    if decider is None:
        long_table.show(table, _titled(kind), columns)
    else:
        why.show(table, _titled(kind), f"why-{_in_address(kind)}-{decider.name}", decider, columns)


def _titled(kind: str) -> str:
    return f"Partitions {kind.lower()}" if kind.endswith("unowned") else f"{kind} partitions"
