"""A table of partitions. Below the table: why the selected partition is assigned to its member, in
the steps of the assignor or of the search.

why.show(frame, "Partitions of a", "partitions-lag-0", why.by_assignor(view, "lag"))
"""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import NamedTuple

import pandas as pd
import streamlit as st

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.snapshot import topic_and_number
from evenkeel.dashboard.best.loading import why_planned
from evenkeel.dashboard.names import UNDER, literal
from evenkeel.dashboard.parts import long_table
from evenkeel.dashboard.shell.loading.answer_facts import why_given
from evenkeel.dashboard.shell.loading.views import PLAN
from evenkeel.dashboard.view import PlanChoice, View
from evenkeel.data.errors import SnapshotError


class Decider(NamedTuple):
    """An assignor or a search, with its explanations. `why`: function that returns the reasons for
    the owner of a partition (topic and number).

    `is_plan`: True for the search, False for an assignor.
    """

    name: str
    why: Callable[[str, int], tuple[str, ...]]
    is_plan: bool = False


def by_assignor(view: View, name: str) -> Decider:
    """Return the explanations of an assignor. A plug-in has no explanations."""
    return Decider(name, partial(why_given, view.opened, name))


def by_search(view: View, plan_choice: PlanChoice) -> Decider:
    """Return the explanations of the search for the best assignment."""
    return Decider(
        f"the {PLAN}",
        lambda topic, number: why_planned(
            view.opened, plan_choice._replace(within=None), topic, number
        ),
        True,
    )


def show(
    frame: pd.DataFrame,
    name: str,
    key: str,
    decider: Decider,
    columns: Mapping[str, object] | None = None,
    most_height: int = 420,
) -> None:
    """Draw the table, and the reasons for the selected row.

    `frame` needs a column Partition with names of partitions. `key` must differ for each `decider`.
    """
    row = long_table.choose(frame, name, key, columns, most_height)
    if row is None:
        st.caption(f"Select a partition to see why {literal(decider.name)} gives it to its member.")
        return
    partition = frame["Partition"].iloc[row]
    try:
        with st.spinner("Computing the reason …", show_time=False):
            sentences = decider.why(*topic_and_number(partition))
    except (SnapshotError, AssignorError) as error:
        sentences = (str(error),)
    steps = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    name = escape(decider.name) if decider.is_plan else f"<code>{escape(decider.name)}</code>"
    st.html(
        f"<p><b>Why {escape(partition)} goes there</b> {UNDER} {name}</p><ol"
        f' class="why">{steps}</ol>'
    )
