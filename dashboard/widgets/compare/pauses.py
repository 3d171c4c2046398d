"""The pauses of a switch to the candidate, round by round."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from evenkeel.assignors.figures.comparison import Row
from evenkeel.assignors.rounds.switch import Kind, Switch
from evenkeel.dashboard.tables.moves import owners, partition_names
from evenkeel.dashboard.view import Change, View
from evenkeel.dashboard.widgets.parts import long_table
from evenkeel.dashboard.words.verdict import in_use_sentence, sentences
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.words.formats import exact

_WORDS = {Kind.RECONCILED: "Heartbeats"}
_RARE = ("stale claims", "refused")


def show(view: View, row: Row, switch: Switch, change: Change) -> None:
    """Draw the sentence, the rounds if there are several, and a closed box with the partitions that pause."""
    is_in_use = row.name == in_use(view.observed)
    st.subheader(f"{row.name} is in use" if is_in_use else f"The switch to {row.name}", anchor=False)
    st.html(f'<p class="switch">{in_use_sentence(row, switch) if is_in_use else sentences(switch, row)}</p>')
    if switch.round_count > 1:
        st.html(_rounds(switch))
    if switch.kind != Kind.EAGER and switch.paused_count:
        box = st.expander(f"Partitions that pause: {exact(switch.paused_count)}", key="paused", on_change="rerun")
        with box:
            if box.open:
                long_table.show(paused(view, switch, change), "Partitions that pause")


def _rounds(switch: Switch) -> str:
    """Return a table with a row for each round; refused partitions and stale claims have columns only if there are some."""
    columns = {
        "revoked": [step.revoked for step in switch.steps],
        "stale claims": [step.stale for step in switch.steps],
        "handed out": [step.handed_out for step in switch.steps],
        "refused": [step.refused for step in switch.steps],
        "still waiting": [step.waiting for step in switch.steps],
    }
    shown = {head: cells for head, cells in columns.items() if head not in _RARE or any(cells)}
    head = "".join(f'<th scope="col">{text}</th>' for text in (_WORDS.get(switch.kind, "Rebalance"), *shown))
    rows = "".join(_row(place, step) for place, step in enumerate(zip(*shown.values(), strict=True), 1))
    return f'<table class="rounds"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _row(place: int, cells: Iterable[int]) -> str:
    return f'<tr><th scope="row">{place}</th>{"".join(f"<td>{exact(cell)}</td>" for cell in cells)}</tr>'


def paused(view: View, switch: Switch, change: Change) -> pd.DataFrame:
    """Return each partition that pauses, its owners before and after, and its rounds without one; the longest pause first."""
    group = view.comparison.group
    order = (-switch.paused_rounds).argsort(kind="stable")
    tps = switch.paused[order]
    owner = {(topic, number): pair for topic, number, *pair in zip(*(column.tolist() for column in change.pairs), strict=True)}
    pairs = [owner.get((int(group.tp_topic[tp]), int(group.tp_partition[tp])), (-1, -1)) for tp in tps]
    return pd.DataFrame(
        {
            "Partition": partition_names(group, group.tp_topic[tps], group.tp_partition[tps]),
            "From": owners(view.names, [pair[0] for pair in pairs]),
            "To": owners(view.names, [pair[1] for pair in pairs]),
            "Rounds without owner": switch.paused_rounds[order],
        }
    )
