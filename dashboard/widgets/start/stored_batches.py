"""Earlier uploads of this session and batches stored by `evenkeel ingest` and `evenkeel collect`, the latest first, to open again."""

from collections.abc import Iterator
from contextlib import suppress

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.widgets.opening import importing
from evenkeel.dashboard.words.names import literal
from evenkeel.dashboard.words.times import local, zone
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import store
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.words.formats import count, first_of, listed

_MOST = 50
_MOST_BROKEN = 3


def show() -> bool:
    """Draw the choice if anything is stored; return whether one was opened in this run."""
    batches, broken = store.stored(configuration().lake)
    if broken:
        st.warning(literal(f"Left out: {'; '.join(first_of(broken, _MOST_BROKEN))}"))
    stored = [*_uploads(), *(one for one in batches if one.holds_groups)][:_MOST]
    if not stored:
        return False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Read before, or stored by evenkeel ingest or collect", stored, format_func=_name, key="stored-batch")
        pressed = st.button("Open it", icon=":material/arrow_forward:", icon_position="right", key="open-stored")
    if pressed:
        importing.open_stored(chosen.batch)
    return pressed


def _uploads() -> Iterator[Manifest]:
    for upload in importing.uploads():
        with suppress(SnapshotError):
            yield loading.imported(upload).manifest


def _name(batch: Manifest) -> str:
    files = listed([source.name for source in batch.sources] or [batch.batch], 1)
    return f"{local(batch.ingested_at):%Y-%m-%d %H:%M} {zone(batch.ingested_at)} · {files} · {count(batch.counts.rows, 'row')}"
