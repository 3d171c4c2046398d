"""From files to a stored batch, with a bar; and how long the server keeps what a browser has sent."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from evenkeel.dashboard.loading import apart
from evenkeel.data.pipeline import uploads
from evenkeel.data.sources.source import NamedColumns
from evenkeel.data.words.formats import count

MEGABYTES = uploads.LIMIT_BYTES // 2**20
_IN_BOXES = "files-in-boxes"


def box(label: str, key: str, help: str | None = None) -> list[UploadedFile]:
    """Draw a box for files; return those that are in it."""
    files = st.file_uploader(label, accept_multiple_files=True, key=key, max_upload_size=MEGABYTES, help=help)
    st.session_state.setdefault(_IN_BOXES, {})[key] = {file.file_id for file in files}
    return files


def free() -> None:
    """Free the files of boxes that are no longer drawn: Streamlit keeps every file until its tab is closed."""
    context, boxes = get_script_run_ctx(), st.session_state.get(_IN_BOXES, {})
    for key in [key for key in boxes if key not in st.session_state]:
        for file_id in boxes.pop(key):
            context.uploaded_file_mgr.remove_file(context.session_id, file_id)


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
    if uploads.needs_spark(sum(len(data) for _, data in distinct)):
        return _in_a_thread(distinct, numbers, named_columns)
    with st.spinner("Reading …"):
        return uploads.upload(distinct, numbers=numbers, named_columns=named_columns, wait=apart.read)


def _in_a_thread(files: Sequence[tuple[str, bytes]], numbers: str | None, named_columns: Sequence[NamedColumns]) -> str:
    """Upload through Spark in a thread, because only this one, the page's own, may move the bar."""
    shares = [0.0]
    threads = ThreadPoolExecutor(1)
    upload = threads.submit(uploads.upload, files, progress=shares.append, numbers=numbers, named_columns=named_columns)
    threads.shutdown(wait=False)
    bar = st.progress(0.0, "Reading …")
    while wait([upload], timeout=0.1).not_done:
        bar.progress(min(shares[-1], 1.0), "Reading …")
    bar.empty()
    return upload.result()
