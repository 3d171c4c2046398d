"""What if another client led: the same group by the code of Java, and of every client that a member uses."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from evenkeel.assignors import CLIENTS, JAVA
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.views import Led
from evenkeel.dashboard.tables.moves import by_partition, rows_of
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.widgets.parts import long_table
from evenkeel.dashboard.words.answers import in_words, is_deadly
from evenkeel.data.scenarios.leaders import possible_leaders
from evenkeel.data.words.clients import mixed, named
from evenkeel.data.words.formats import count


def show(group: Opened, view: View, row: Row) -> None:
    """Draw one line for each other client, with a closed box of the partitions that differ; nothing for assignors that all share."""
    others = _others(view)
    if row.name not in CLIENTS[JAVA].assignors or not view.observed.is_classic or not others:
        return
    if len(possible := possible_leaders(view.observed)) > 1:
        _line(escape(mixed(possible)))
    for client in others:
        _show(view, client, loading.led_otherwise(group, row.name, client), row.name)


def _others(view: View) -> Sequence[str]:
    """Return the clients to look at beside the one that answers: Java always."""
    return [client for client in dict.fromkeys([*possible_leaders(view.observed), JAVA]) if client != view.client]


def _show(view: View, client: str, led: Led, name: str) -> None:
    lead = f"If {named(client)} led"
    if led.row.error:
        said = escape(f"{lead}: {in_words(led.row.error)}.")
        _line(f'<b class="worse">{said}</b>' if is_deadly(led.row.error) else said)
    elif led.change is None:
        _line(f"{lead}, {name} would have an answer.")
    elif not (number := len(led.change.moves.lag)):
        _line(f"{lead}, no partition of {name} would have another owner{' than now' * led.from_now}.")
    else:
        line = f"{lead}, {count(number, 'partition')} of {name} would have another owner{' than now' * led.from_now}"
        box = st.expander(line, key=f"led-{client}", on_change="rerun")
        with box:
            if box.open:
                long_table.show(by_partition(view, led.change, rows_of(led.change, "Moved")), line)


def _line(said: str) -> None:
    st.html(f'<p class="switch">{said}</p>')
