"""Members of a live group that are still moving to their target assignment: what each gives up and gets."""

import pandas as pd
import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import long_table
from evenkeel.data.document import Held
from evenkeel.data.words.formats import count, listed
from evenkeel.data.words.names import partition_name

_MOST_NAMES, _MOST_HEIGHT = 6, 240


def show(group: Opened) -> None:
    """Draw a table while current and target assignment of a KIP-848 group differ, nothing else."""
    found = loading.on_the_way(group)
    if found.target_is_old:
        st.info("The group has changed since the broker computed this target; the broker will compute a new one.", icon=":material/sync:")
    if not found.members:
        return
    view = loading.view(group)
    name_of = dict(zip(view.observed.snapshot.member_id, view.names, strict=True))
    rows = [(name_of[one.member_id], _size(one.has), _named(one.gives_up), _named(one.gets)) for one in found.members]
    st.html(f'<span class="note">Moving to the target assignment: {count(len(rows), "member")}</span>')
    long_table.show(
        pd.DataFrame(rows, columns=["Member", "Has", "Will give up", "Will get"]),
        "Members still moving to their target assignment",
        most_height=_MOST_HEIGHT,
    )


def _size(held: Held) -> int:
    return sum(map(len, held.values()))


def _named(held: Held) -> str:
    names = [partition_name(topic, number) for topic, numbers in held.items() for number in numbers]
    return listed(names, _MOST_NAMES) if names else "nothing"
