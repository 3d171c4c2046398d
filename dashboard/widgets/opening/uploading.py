"""From files to a stored batch, with a bar."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import streamlit as st

from data.pipeline import uploads
from data.sources.parsing.named_columns import NamedColumns
from data.words.formats import count


def uploaded(files: Sequence[tuple[str, bytes]], numbers: str | None = None, named_columns: Sequence[NamedColumns] = ()) -> str:
    """Return the batch of what was read, each content once; `numbers` and `named_columns`: as in `Context`.

    Raises
    ------
    SnapshotError
        When nothing can be read.
    """
    distinct = uploads.without_copies(files)
    if len(distinct) < len(files):
        st.toast(f"{count(len(files) - len(distinct), 'file')} with the same content as another: read once.")
    return _in_a_thread(distinct, numbers, named_columns)


def _in_a_thread(files: Sequence[tuple[str, bytes]], numbers: str | None, named_columns: Sequence[NamedColumns]) -> str:
    """Upload in a thread, because only this one, the page's own, may move the bar."""
    shares = [0.0]
    threads = ThreadPoolExecutor(1)
    upload = threads.submit(uploads.upload, files, progress=shares.append, numbers=numbers, named_columns=named_columns)
    threads.shutdown(wait=False)
    bar = st.progress(0.0, "Reading …")
    while wait([upload], timeout=0.1).not_done:
        bar.progress(min(shares[-1], 1.0), "Reading …")
    bar.empty()
    return upload.result()
