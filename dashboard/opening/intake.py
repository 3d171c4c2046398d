"""The ways in: the box for a pasted listing or files, earlier uploads and stored batches; what each
input unlocks, and who sees it.
"""

from collections.abc import Iterator
from contextlib import suppress
from html import escape
from typing import NamedTuple

import streamlit as st

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
…"""
_COMMAND = "kafka-consumer-groups.sh --bootstrap-server … --describe --all-groups"
_MOST_PASTED = 8_000_000
"""A longer text would close the connection: a message of the browser holds 25 MB, and a character
needs up to three bytes.
"""

_BUTTON = {"type": "primary", "icon": ":material/arrow_forward:", "icon_position": "right"}


def show() -> list[tuple[str, bytes]]:
    """Draw the box; return the files as (name, bytes) in the run after their button was pressed,
    else none.
    """
    if not reader().grants.may_anywhere("upload"):
        st.info(
            "Your rights do not include pasting and uploading. Groups of clusters are on Groups."
        )
        return []
    with st.container(border=True, gap="xsmall"):
        ways = ["Paste", "Upload"]
        way = st.segmented_control(
            "Way in",
            ways,
            default=ways[0],
            required=True,
            key="way-in",
            label_visibility="collapsed",
        )
        files = _paste() if way == "Paste" else _upload()
        st.code(_COMMAND, language=None)
    return files


def _paste() -> list[tuple[str, bytes]]:
    text = st.text_area(
        "Listing",
        placeholder=_PLACEHOLDER,
        height=156,
        max_chars=_MOST_PASTED,
        key="paste",
        label_visibility="collapsed",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pressed = st.button("Read it", key="read-paste", **_BUTTON)
        limit = f"Up to {_MOST_PASTED // 10**6} million characters; upload larger listings"
        known = (
            "kafka-consumer-groups, kafka-topics, CSV, JSON, a broker's log: recognised by content"
        )
        _show_line(f"{known}. {limit}", len(text))
    if pressed and not text.strip():
        st.warning(
            "Nothing is pasted yet. Run the command below and paste what it prints, or open a worked example."
        )
    return [(PASTED, text.encode())] if pressed and text.strip() else []


def _upload() -> list[tuple[str, bytes]]:
    together = "Several listings of the same moment are put together: offsets, members, topics."
    uploaded = importing.box("Listings, exports, group documents, brokers' logs", "files", together)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pressed = st.button("Read files", key="read-files", disabled=not uploaded, **_BUTTON)
        limit = (
            f"Up to {importing.MEGABYTES} MB together; for larger files run: evenkeel ingest PATH"
        )
        _show_line(limit, sum(file.size for file in uploaded))
    return [(file.name, file.getvalue()) for file in uploaded] if pressed else []


def _show_line(ready: str, size: int) -> None:
    """Draw one quiet line: `ready`; where Spark reads so many bytes, that it still starts, asked
    every two seconds, or what it lacks.
    """
    if not uploads.needs_spark(size):
        st.html(f'<span class="note">{escape(ready)}</span>')
        return
    uploads.start_spark()
    st.fragment(_line, run_every="2s" if uploads.spark_state() == "starting" else None)(ready)


def _line(ready: str) -> None:
    state = uploads.spark_state()
    if state == "starting":
        st.html(
            '<span class="note">Spark is starting; so large a listing waits a few seconds.</span>'
        )
    elif state.startswith("missing:"):
        st.html(
            f'<span class="note worse">So large a listing cannot be read. {escape(state[:1].upper() + state[1:])}</span>'
        )
    else:
        st.html(f'<span class="note">{escape(ready)}</span>')


# Who sees what is pasted, and who reaches this server: said as long as it asks for no login.


_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def show_reach() -> None:
    """Say where pasted text stays and for how long; warn where other machines reach the server."""
    kept, is_closed = (
        duration(configuration().keep_uploads.total_seconds()),
        configuration().is_closed,
    )
    whose = "Only you can open it" if is_closed else "Anyone with the page's address can see it"
    st.html(
        '<p class="note" style="margin:0">Nothing in Kafka is ever changed. What you paste stays on this server. '
        f"{whose}. It is deleted after {kept}.</p>"
    )
    if not is_closed and st.get_option("server.address") not in _THIS_MACHINE:
        st.warning(
            "This server has no login. Anyone who reaches it can use it: read the lake's groups and the configured clusters.",
            icon=":material/lock_open:",
        )


# The levels of completeness: how to reach each, and what it unlocks.


class Level(NamedTuple):
    """What an input shows, its source, and what it unlocks."""

    name: str
    source: str
    unlocks: str


LEVELS = (
    Level("Topics and partitions", "kafka-topics.sh --describe", "sizes of topics"),
    Level(
        "Offsets", "--describe of a group without members", "lag per partition, stuck partitions"
    ),
    Level("Owners", "--describe", "owners, lag per member, moves"),
    Level(
        "All members", "--describe and --describe --members", "idle members, the right fair share"
    ),
    Level(
        "Subscriptions, racks, static ids",
        "group document (JSON)",
        "exact answers of all client-side assignors, as far as racks are known; uniform also needs topic ids, lag needs offsets",
    ),
    Level(
        "Two moments",
        "the same listing again: “Add a later reading”, or times between several",
        "rates, time lag, verdict, when it drains; which partitions changed owner",
    ),
)
_STREAMS = Level(
    "Kafka Streams",
    "streams document (JSON), kafka-streams-groups.sh --describe, live cluster",
    "tasks and their copies, rounds until they are balanced (page Streams)",
)


def show_levels(reached: int | None = None) -> None:
    """Draw the list; mark the level of an input."""
    rows = "".join(
        _row(level, _boxes(number), number == reached) for number, level in enumerate(LEVELS)
    )
    streams = _row(_STREAMS, '<span class="boxes"></span>', False)
    st.html(
        f'<h2 class="section">What each input unlocks</h2><ul class="levels">{rows}{streams}</ul>'
    )


def _boxes(number: int) -> str:
    boxes = "".join(
        f'<i class="{"on" if box < number else ""}"></i>' for box in range(len(LEVELS) - 1)
    )
    return f'<span class="boxes" role="img" aria-label="Level {number}">{boxes}</span>'


def _row(level: Level, bars: str, reached: bool) -> str:
    here = " <em>your input</em>" if reached else ""
    return f"<li>{bars}<span><b>{level.name}</b>{here}<small>{level.source}</small></span><span>{level.unlocks}</span></li>"


# Earlier uploads of this session and batches stored by `evenkeel ingest` and `evenkeel collect`,
# the latest first, to open again.


_MOST = 50
_MOST_BROKEN = 3


def show_stored() -> bool:
    """Draw the choice if anything is stored; return whether one was opened in this run."""
    batches, broken = stored_in_lake()
    if broken:
        st.warning(literal(f"Left out: {'; '.join(first_of(broken, _MOST_BROKEN))}"))
    stored = [*_uploads(), *batches][:_MOST]
    if not stored:
        return False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Read before, or stored by evenkeel ingest or collect",
            stored,
            format_func=_batch_name,
            key="stored-batch",
        )
        pressed = st.button(
            "Open it", icon=":material/arrow_forward:", icon_position="right", key="open-stored"
        )
    if pressed:
        importing.open_stored(chosen.batch)
    return pressed


def _uploads() -> Iterator[Manifest]:
    for upload in importing.session_uploads():
        with suppress(SnapshotError):
            yield imported(upload).manifest


def _batch_name(batch: Manifest) -> str:
    files = listed([source.name for source in batch.sources] or [batch.batch], 1)
    return f"{local(batch.ingested_at):%Y-%m-%d %H:%M} {zone(batch.ingested_at)} · {files} · {count(batch.counts.rows, 'row')}"
