"""Which rows of the group list are shown: by name, state and type."""

import pandas as pd
import streamlit as st


def show(groups: pd.DataFrame) -> pd.DataFrame:
    """Draw the filters and return the rows that pass, in their order."""
    name = st.text_input("Search", key="groups-search", placeholder="Search group", label_visibility="collapsed", width=220, icon=":material/search:")
    state = _several("State", groups["state"])
    group_type = _several("Type", groups["group_type"])
    passes = groups["group_id"].str.contains(name.strip(), case=False, regex=False)
    for column, wanted in (("state", state), ("group_type", group_type)):
        if wanted:
            passes &= groups[column].isin(wanted)
    return groups[passes]


def _several(label: str, values: pd.Series) -> list[str]:
    key = f"groups-{label}"
    # What is chosen stays one of the options when no group has it any more: Streamlit drops others.
    options = sorted({*values.dropna(), *st.session_state.get(key, ())})
    return st.multiselect(label, options, key=key, placeholder=label, label_visibility="collapsed", width=200)
