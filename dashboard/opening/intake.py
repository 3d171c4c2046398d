"""Ways to open groups: the box for a pasted listing or files, earlier uploads, and stored batches.
Also the sentence on who can see pasted text.
"""

from collections.abc import Iterator
from contextlib import suppress
from html import escape

import streamlit as st

from evenkeel.dashboard import scripts
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell import importing
from evenkeel.dashboard.shell.loading.uploads import imported, stored_in_lake
from evenkeel.dashboard.shell.reader import reader
from evenkeel.dashboard.times import local, zone
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.pipeline import uploads
from evenkeel.data.text.formats import count, duration, first_of, listed

PASTED = "pasted text"
_PLACEHOLDER = """\
GROUP     TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG    CONSUMER-ID  HOST        CLIENT-ID
payments  orders  0          120455          121003          548    pay-a-0f3c   /10.4.1.17  pay-a
payments  orders  1          88120           98340           10220  pay-a-0f3c   /10.4.1.17  pay-a
…"""  # noqa: E501
_COMMAND = "kafka-consumer-groups.sh --bootstrap-server … --describe --all-groups"
_MOST_PASTED = 8_000_000
"""Highest number of characters of a pasted text; a longer text would close the connection. A
browser's message holds 25 MB, and a character needs up to three bytes.
"""

_TOGETHER = "Several listings of the same moment are combined: offsets, members, topics."
_LIMITS = (
    f"Recognised by content; text up to {_MOST_PASTED // 10**6} million characters, files up to "
    f"{importing.MEGABYTES} MB together, larger files with evenkeel ingest PATH"
)


def show(place: str = "") -> list[tuple[str, bytes]]:
    """Draw the box. In the run after a click on the button, return text and files as (name, bytes).
    In other runs, return nothing.

    `place`: end of the widgets' keys.
    """
    if not reader().grants.may_anywhere("upload"):
        st.info("You have no right to paste or upload. Groups of clusters are on Groups.")
        return []
    text = st.text_area(
        "Listing",
        placeholder=_PLACEHOLDER,
        height=216,
        max_chars=_MOST_PASTED,
        key=f"paste{place}",
        label_visibility="collapsed",
    )
    files = importing.box("Files: listings, CSV, JSON, brokers' logs", f"files{place}", _TOGETHER)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pressed = st.button("Read", key=f"read-paste{place}", type="primary")
        _show_line(len(text) + sum(file.size for file in files))
    if pressed and not (text.strip() or files):
        st.warning("Nothing is pasted yet. Run the command and paste what it prints.")
    if not pressed:
        return []
    pasted = [(PASTED, text.encode())] if text.strip() else []
    return pasted + [(file.name, file.getvalue()) for file in files]


def show_command() -> None:
    """Draw the command whose output the box accepts."""
    # Not st.code, because it loads a highlighter of two megabytes. No line breaks inside an option.
    words = " ".join(f"<span>{escape(word)}</span>" for word in _COMMAND.split())
    st.html(
        f'<div class="command"><pre>{words}</pre>'
        '<button class="copy-link" type="button"><span>Copy</span></button></div>'
    )
    st.html(scripts.inline("copy"), unsafe_allow_javascript=True)


def _show_line(size: int) -> None:
    """Draw the limits. If the listing is so large that Spark must read it, draw the state of Spark
    instead, updated every two seconds.
    """
    if not uploads.needs_spark(size):
        st.html(f'<span class="note">{escape(_LIMITS)}</span>')
        return
    uploads.start_spark()
    st.fragment(_line, run_every="2s" if uploads.spark_state() == "starting" else None)()


def _line() -> None:
    state = uploads.spark_state()
    if state == "starting":
        st.html(
            '<span class="note">Spark is starting, because this listing is large; please'
            " wait a few seconds.</span>"
        )
    elif state.startswith("missing:"):
        st.html(
            '<span class="note worse">This listing is too large to read without Spark.'
            f" {escape(state[:1].upper() + state[1:])}</span>"
        )
    else:
        st.html(f'<span class="note">{escape(_LIMITS)}</span>')


# Who can see pasted text, and who can reach this server.


_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def show_reach() -> None:
    """Draw where pasted text is stored, and for how long. Draw a warning if the server has no login
    and other machines can reach it.
    """
    span, is_closed = (
        duration(configuration().keep_uploads.total_seconds()),
        configuration().is_closed,
    )
    whose = "Only you can open it" if is_closed else "Anyone with the page's address can see it"
    st.html(
        '<p class="note" style="margin:0">Nothing in Kafka is ever changed. What you paste stays'
        f" on this server. {whose}. It is deleted after {span}.</p>"
    )
    if not is_closed and st.get_option("server.address") not in _THIS_MACHINE:
        st.warning(
            "This server has no login. Anyone who reaches it can use it: read the lake's groups and"
            " the configured clusters.",
            icon=":material/lock_open:",
        )


# Earlier uploads of this session, and batches stored by `evenkeel ingest` and `evenkeel collect`;
# latest first.


_MOST = 50
_MOST_BROKEN = 3


def show_stored(place: str = "") -> str | None:
    """Draw a select box of the stored batches, if there are any. Return the batch that the reader
    opened in this run.

    `place`: end of the widgets' keys.
    """
    batches, broken = stored_in_lake()
    if broken:
        st.warning(literal(f"Left out: {'; '.join(first_of(broken, _MOST_BROKEN))}"))
    stored = [*_uploads(), *batches][:_MOST]
    if not stored:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Earlier uploads, and batches stored by evenkeel ingest or evenkeel collect",
            stored,
            format_func=_batch_name,
            key=f"stored-batch{place}",
        )
        pressed = st.button("Open it", key=f"open-stored{place}")
    if not pressed:
        return None
    importing.open_stored(chosen.batch)
    return chosen.batch


def _uploads() -> Iterator[Manifest]:
    for upload in importing.session_uploads():
        with suppress(SnapshotError):
            yield imported(upload).manifest


def _batch_name(batch: Manifest) -> str:
    files = listed([source.name for source in batch.sources] or [batch.batch], 1)
    return (
        f"{local(batch.ingested_at):%Y-%m-%d %H:%M} {zone(batch.ingested_at)} · {files} ·"
        f" {count(batch.counts.rows, 'row')}"
    )
