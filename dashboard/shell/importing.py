"""Upload boxes, a progress bar while files are read, the uploads of this session, and the errors of
reading.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from evenkeel.dashboard.shell import address, apart, notices, opened, problem
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.shell.loading.readings import named_for_history
from evenkeel.dashboard.shell.loading.uploads import Import, imported, moments
from evenkeel.dashboard.shell.reader import on_behalf
from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline import uploads
from evenkeel.data.sources.source import NamedColumns
from evenkeel.data.text.formats import count

_KEY, _UPLOADS = "import", "uploads"


def batch() -> str | None:
    """Return the batch of the upload that the address or this session names, or None."""
    linked = address.take("read")
    if linked:
        take_over(linked)
    elif address.is_followed():
        forget()
    address.show(read=st.session_state.get(_KEY))
    show_refused()
    return st.session_state.get(_KEY)


def take_over(linked: str) -> Import | None:
    """Make the upload in the address the upload of this session. If the upload is not stored any
    more, show the reason and return None.
    """
    try:
        upload = imported(linked)
    except SnapshotError as error:
        address.refuse(_KEY, str(error))
        return None
    _remember(linked)
    return upload


def session_uploads() -> list[str]:
    """Return the uploads of this session, latest first."""
    return st.session_state.get(_UPLOADS, [])[::-1]


def _remember(upload: str) -> None:
    st.session_state[_KEY] = upload
    known = st.session_state.setdefault(_UPLOADS, [])
    if upload not in known:
        known.append(upload)


def show_refused() -> None:
    """If the upload in the address could not be opened, show why."""
    address.show_refused(_KEY)


def is_open() -> bool:
    """Return whether the session has an upload."""
    return _KEY in st.session_state


def forget() -> None:
    """Forget the upload of this session. Used as a widget callback."""
    st.session_state.pop(_KEY, None)


def open_stored(stored: str) -> None:
    """Open the worst group of a stored upload. If the upload cannot be read, store the reason, to
    be shown next.
    """
    upload = take_over(stored)
    if upload and upload.groups:
        opened.open_group(upload.groups.opened(0))


def read(
    files: Sequence[tuple[str, bytes]],
    numbers: str | None = None,
    named_columns: Sequence[NamedColumns] = (),
) -> Import | None:
    """Read files and open their worst group. If the files contain nothing readable, draw the error
    and return None.

    `numbers`: the number format, if the reader chose it. `named_columns`: the meanings of columns,
    if the reader chose them.
    """
    try:
        _remember(named_for_history(uploaded(files, numbers, named_columns)))
        address.chosen(_KEY)
    except SnapshotError as error:
        problem.show(str(error))
        return None
    upload = imported(st.session_state[_KEY])
    if upload.groups:
        opened.open_group(upload.groups.opened(0))
    return upload


def is_plain(upload: Import) -> bool:
    """Return whether the page can show the upload without a question or remark: it has one group at
    one time, with partitions or members, and neither rejected lines nor reported errors.
    """
    refused = any(source.refused for source in upload.manifest.sources)
    is_whole = not (refused or upload.errors.num_rows or upload.manifest.counts.rejected)
    if not is_whole or len(upload.groups) != 1:
        return False
    group = upload.groups.opened(0)
    if len(moments(group, [upload.manifest.batch])) > 1:
        return False
    return bool(upload.groups.table["partition_count"][0].as_py() or views.view(group).names)


# From files to a stored batch with a progress bar, and how long the server holds a browser's files.


MEGABYTES = uploads.LIMIT_BYTES // 2**20
_IN_BOXES = "files-in-boxes"


def box(label: str, key: str, help: str | None = None) -> list[UploadedFile]:
    """Draw an upload box and return the uploaded files."""
    files = st.file_uploader(
        label, accept_multiple_files=True, key=key, max_upload_size=MEGABYTES, help=help
    )
    st.session_state.setdefault(_IN_BOXES, {})[key] = {file.file_id for file in files}
    return files


def free() -> None:
    """Release the uploaded files of boxes that are not drawn any more. Without this, Streamlit
    holds a file until the browser tab is closed.
    """
    context, boxes = get_script_run_ctx(), st.session_state.get(_IN_BOXES, {})
    if context is None:
        return
    for key in [key for key in boxes if key not in st.session_state]:
        for file_id in boxes.pop(key):
            context.uploaded_file_mgr.remove_file(context.session_id, file_id)


def uploaded(
    files: Sequence[tuple[str, bytes]],
    numbers: str | None = None,
    named_columns: Sequence[NamedColumns] = (),
) -> str:
    """Store the files and return their batch. A file with the same content as another file is read
    only once. `numbers` and `named_columns`: as in `Context`.

    Raises
    ------
    SnapshotError
        If nothing can be read.
    """
    distinct = uploads.without_copies(files)
    if len(distinct) < len(files):
        notices.leave(
            f"{count(len(files) - len(distinct), 'file')} with the same content as another file:"
            " read once."
        )
    if uploads.needs_spark(sum(len(data) for _, data in distinct)):
        return _in_a_thread(distinct, numbers, named_columns)
    with st.spinner("Reading …"):
        return uploads.upload(
            distinct, numbers=numbers, named_columns=named_columns, wait=apart.read
        )


def _in_a_thread(
    files: Sequence[tuple[str, bytes]], numbers: str | None, named_columns: Sequence[NamedColumns]
) -> str:
    shares = [0.0]
    threads = ThreadPoolExecutor(1)
    upload = threads.submit(
        on_behalf(uploads.upload),
        files,
        progress=shares.append,
        numbers=numbers,
        named_columns=named_columns,
    )
    threads.shutdown(wait=False)
    bar = st.progress(0.0, "Reading …")
    while wait([upload], timeout=0.1).not_done:
        bar.progress(min(shares[-1], 1.0), "Reading …")
    bar.empty()
    return upload.result()
