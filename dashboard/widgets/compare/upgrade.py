"""The moves of an upgrade of Kafka from the chosen release to the newest."""

import streamlit as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.figures.comparison import Row
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.dashboard import loading
from evenkeel.dashboard.tables.moves import by_partition, rows_of
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.widgets.parts import long_table
from evenkeel.dashboard.widgets.scope import release
from evenkeel.data.words.formats import count


def show(group: Opened, view: View, row: Row) -> None:
    """Draw one line and a closed box with the partitions; nothing if the newest release is chosen."""
    if group.kafka == NEWEST or row.name not in ASSIGNORS:
        return
    change = loading.upgrade(group, row.name, NEWEST)
    if change is None:
        return
    moved = change.moves.moved_count
    number = count(moved, "partition") if moved else "no partition"
    said = f"{number} of {row.name} {'moves' if moved < 2 else 'move'}"
    why = ASSIGNORS[row.name].release_difference
    line = f"Upgrading the {release.whose(row.name)} from {group.kafka} to {NEWEST}: {said}{f', because {why}' if moved and why else ''}"
    if not moved:
        st.html(f'<p class="switch">{line}.</p>')
        return
    box = st.expander(line, key="upgrade", on_change="rerun")
    with box:
        if box.open:
            long_table.show(by_partition(view, change, rows_of(change, "Moved")), line)
