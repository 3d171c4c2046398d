"""Every name that leaves with a share, and what stands for it."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from evenkeel.data.shares.redaction import Row
from evenkeel.data.words.formats import count

_AS_IT_IS = "as it is"


def show(rows: Sequence[Row], kinds: Sequence[str]) -> None:
    """Draw the table, names that leave as stand-ins first."""
    hidden = [row for row in rows if row.stand_in is not None]
    st.html(f"<b>Preview</b> <span class='note'>{count(len(hidden), 'name')} as stand-ins, {len(rows) - len(hidden):,} as they are</span>")
    shown = [*hidden, *(row for row in rows if row.stand_in is None)]
    frame = pd.DataFrame(
        {
            "Kind": [row.kind for row in shown],
            "Name here": [row.name for row in shown],
            "In the share": [row.stand_in if row.stand_in is not None else _AS_IT_IS for row in shown],
            "Still readable in": [", ".join(row.readable_in) for row in shown],
        }
    )
    if not frame["Still readable in"].any():
        frame = frame.drop(columns="Still readable in")
    st.dataframe(frame, hide_index=True, height=200, alt="Names in the share")
    if kinds:
        st.caption(
            "Kafka's answers depend on names. With stand-ins the share keeps the answers of the true names and says "
            "“computed on the original names, cannot be recomputed here”."
        )
