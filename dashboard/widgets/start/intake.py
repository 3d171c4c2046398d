"""The input box: paste a listing, or upload one or many files."""

from html import escape

import streamlit as st

from evenkeel.dashboard.widgets.opening import uploading
from evenkeel.data.pipeline import uploads

PASTED = "pasted text"
_PLACEHOLDER = """\
GROUP     TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG    CONSUMER-ID  HOST        CLIENT-ID
payments  orders  0          120455          121003          548    pay-a-0f3c   /10.4.1.17  pay-a
payments  orders  1          88120           98340           10220  pay-a-0f3c   /10.4.1.17  pay-a
…"""
_COMMAND = "kafka-consumer-groups.sh --bootstrap-server … --describe --all-groups"
_MOST_PASTED = 8_000_000
"""A longer text would close the connection: a message of the browser holds 25 MB, and a character needs up to three bytes."""

_BUTTON = {"type": "primary", "icon": ":material/arrow_forward:", "icon_position": "right"}


def show() -> list[tuple[str, bytes]]:
    """Draw the box; return the files as (name, bytes) in the run after their button was pressed, else none."""
    with st.container(border=True, gap="xsmall"):
        ways = ["Paste", "Upload"]
        way = st.segmented_control("Way in", ways, default=ways[0], required=True, key="way-in", label_visibility="collapsed")
        files = _paste() if way == "Paste" else _upload()
        st.code(_COMMAND, language=None)
    return files


def _paste() -> list[tuple[str, bytes]]:
    text = st.text_area("Listing", placeholder=_PLACEHOLDER, height=156, max_chars=_MOST_PASTED, key="paste", label_visibility="collapsed")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pressed = st.button("Read it", key="read-paste", **_BUTTON)
        limit = f"Up to {_MOST_PASTED // 10**6} million characters; upload larger listings"
        _show_line(f"kafka-consumer-groups, kafka-topics, CSV, JSON: recognised by content. {limit}", len(text))
    if pressed and not text.strip():
        st.warning("Nothing is pasted yet. Run the command below and paste what it prints, or open a worked example.")
    return [(PASTED, text.encode())] if pressed and text.strip() else []


def _upload() -> list[tuple[str, bytes]]:
    together = "Several listings of the same moment are put together: offsets, members, topics."
    uploaded = uploading.box("Listings, exports, group documents", "files", together)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pressed = st.button("Read files", key="read-files", disabled=not uploaded, **_BUTTON)
        limit = f"Up to {uploading.MEGABYTES} MB together; for larger files run: evenkeel ingest PATH"
        _show_line(limit, sum(file.size for file in uploaded))
    return [(file.name, file.getvalue()) for file in uploaded] if pressed else []


def _show_line(ready: str, size: int) -> None:
    """Draw one quiet line: `ready`; where Spark reads so many bytes, that it still starts, asked every two seconds, or what it lacks."""
    if not uploads.needs_spark(size):
        st.html(f'<span class="note">{escape(ready)}</span>')
        return
    uploads.start_spark()
    st.fragment(_line, run_every="2s" if uploads.spark_state() == "starting" else None)(ready)


def _line(ready: str) -> None:
    state = uploads.spark_state()
    if state == "starting":
        st.html('<span class="note">Spark is starting; so large a listing waits a few seconds.</span>')
    elif state.startswith("missing:"):
        st.html(f'<span class="note worse">So large a listing cannot be read. {escape(state[:1].upper() + state[1:])}</span>')
    else:
        st.html(f'<span class="note">{escape(ready)}</span>')
