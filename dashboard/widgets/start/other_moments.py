"""What to do with listings of one group at several moments that say no time: their lines contradict each other."""

import re

import pyarrow as pa
import streamlit as st

_SAME_PARTITION = re.compile(r"(committed_offset|end_offset) is .+, expected .+ as in ")


def show(rejected: pa.Table) -> None:
    """Say it where a line was rejected because an earlier one has other offsets."""
    if any(_SAME_PARTITION.match(reason) for reason in rejected["reason"].to_pylist()):
        st.warning(
            "Lines show the same partitions with other offsets: this looks like several readings of one group. Put a line with its time, "
            "such as `date` prints it, above each listing; or read the first alone and use “Add a later reading”."
        )
