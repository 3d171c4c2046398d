"""Result of an upload: formats, errors of the tool that printed the listing, and the lines of each
kind (row, note, rejected).
"""

import re
from collections.abc import Sequence

import pandas as pd
import pyarrow as pa
import streamlit as st

from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import kpi_strip, long_table
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.loading import uploads
from evenkeel.dashboard.shell.loading.uploads import (
    MOST_LINES,
    Import,
    first_lines,
)
from evenkeel.data.sources.console.exact.lines import needed
from evenkeel.data.sources.numbers import NO_NUMBER
from evenkeel.data.sources.reading_words import EARLIER_READINGS, not_in_it, read_as, rejected_words
from evenkeel.data.text.formats import and_more, count, exact

_MOST_ERRORS = 3


def show(read: Import) -> None:
    """Draw the problems of an upload, and a line that opens the whole result."""
    for source in read.manifest.sources:
        if source.refused:
            problem.show(source.refused)
    _show_errors(read)
    _show_other_moments(read.rejected)
    _show_reading(read)
    if not len(read.groups):
        problem.show_no_group(needed(read.rejected["reason"].to_pylist()), _number(read))
    elif read.groups.table["partition_count"].null_count == len(read.groups):
        problem.show_named_alone(read.groups.table["group_id"][0].as_py())
    counts = read.manifest.counts
    rejected = f", {count(counts.rejected, 'line')} rejected" if counts.rejected else ""
    label = f"{count(counts.lines, 'line')}{rejected}"
    label = f"{read_as(read.manifest.formats, read.groups.table)} {label}"
    with st.expander(literal(label), key="read-lines", expanded=bool(counts.rejected)):
        kpi_strip.show(_kpis(read))
        _show_lines(read)


def _show_reading(upload: uploads.Import) -> None:
    """Draw the most frequent reason for rejected lines. If the upload has several readings, say
    that only the last reading counts.
    """
    counts = upload.manifest.counts
    rejected = rejected_words(upload.rejected, counts.rejected, counts.lines)
    earlier = EARLIER_READINGS if upload.has_earlier else ""
    for text in (
        rejected,
        earlier,
        not_in_it(upload.manifest.formats, upload.groups.table).removesuffix("."),
    ):
        if text:
            st.caption(literal(f"{text[0].upper()}{text[1:]}."))


def _number(upload: uploads.Import) -> str | None:
    """Return the first line that was rejected only because of the format of a number."""
    rows = upload.rejected.select(["source_line", "reason"]).to_pylist()
    return next(
        (
            f"line {exact(row['source_line'])}: {row['reason']}"
            for row in rows
            if NO_NUMBER in row["reason"]
        ),
        None,
    )


def _kpis(upload: uploads.Import) -> list[Kpi]:
    counts = upload.manifest.counts
    sources = upload.manifest.sources
    rejected = "listed below" if counts.rejected else "every line was read"
    return [
        Kpi("Lines", exact(counts.lines), count(len(sources), "file")),
        Kpi("Rows", exact(counts.rows), "lines with data"),
        Kpi("Notes", exact(counts.notes), "headers, blank lines, messages, repeats"),
        Kpi("Rejected", exact(counts.rejected), rejected, "worse" * bool(counts.rejected)),
        Kpi("Groups", exact(len(upload.groups))),
    ]


def _show_errors(upload: uploads.Import) -> None:
    """Draw the errors of the tool that printed the listing; rows may be missing because of them."""
    several = len(upload.manifest.sources) > 1
    errors = upload.errors.slice(0, _MOST_ERRORS).to_pylist()
    lines = "".join(
        f"\n* line {exact(row['source_line'])}{_file(row, several)}: {literal(row['text'])}"
        for row in errors
    )
    rest = and_more(upload.errors.num_rows - _MOST_ERRORS)
    more = "".join(f"\n* {text}, below" for text in rest)
    if lines:
        st.warning(
            f"The tool that printed this reported errors; rows may be missing:\n{lines}{more}"
        )


def _file(row: dict, several: bool) -> str:
    return f" of {literal(row['source_file'])}" if several else ""


# All lines of an upload by kind: rejected lines first, then notes, then rows.


_TITLES = {"Rejected": "Rejected lines", "Notes": "Notes", "Rows": "Rows"}
_WIDE = st.column_config.TextColumn(width="large")
_LINE = st.column_config.NumberColumn(format="localized", width="small")
_HEIGHT = 320


def _show_lines(upload: uploads.Import) -> None:
    """Draw buttons for the kinds of lines, and the first lines of the chosen kind in the order of
    the input.
    """
    counts = upload.manifest.counts
    numbers = dict(zip(_TITLES, (counts.rejected, counts.notes, counts.rows), strict=True))
    there = [kind for kind in _TITLES if numbers[kind]]
    if not there:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading = st.empty()
        st.space("stretch")
        # The key contains the upload's name: a kind chosen for another upload may not exist in this
        # upload.
        key = f"import-lines-{upload.manifest.batch}"
        kind = st.segmented_control(
            "Lines", there, default=there[0], required=True, key=key, label_visibility="collapsed"
        )
    table = _table(upload, kind)
    shown = (
        f", the first {exact(len(table))}"
        if len(table) == MOST_LINES and numbers[kind] > len(table)
        else ""
    )
    blank = ", blank lines left out" if kind == "Notes" else ""
    note = f"{exact(numbers[kind])}, in the order of the input{shown}{blank}"
    heading.html(f'<b class="table-title">{_TITLES[kind]}</b> <span class="note">{note}</span>')
    if len(table):
        long_table.show(
            table, _TITLES[kind], {"Line": _LINE, "Reason": _WIDE, "Text": _WIDE}, _HEIGHT
        )


def _table(upload: uploads.Import, kind: str):
    batch, files = upload.manifest.batch, [source.name for source in upload.manifest.sources]
    if kind == "Rows":
        tables = (first_lines(batch, name) for name in ("OFFSETS", "MEMBERS", "TOPICS"))
        return rows_read(*tables, files, MOST_LINES)
    return with_reasons(
        upload.rejected if kind == "Rejected" else first_lines(batch, "NOTES"), files
    )


# Advice on listings of one group at several moments, if no line has a time. The lines of these
# listings contradict each other.


_SAME_PARTITION = re.compile(r"(committed_offset|end_offset) is .+, expected .+ as in ")


def _show_other_moments(rejected: pa.Table) -> None:
    """Draw advice if lines were rejected because earlier lines have other offsets."""
    if any(_SAME_PARTITION.match(reason) for reason in rejected["reason"].to_pylist()):
        st.warning(
            "Some lines repeat a partition with other offsets, as in several readings of one"
            " group. Above each listing, put a line with its time, as `date` prints it. Or read"
            " only the first listing, then use “Add a later reading”."
        )


# Rejected lines, notes and rows of an upload: each with its file, its line number, and its reason
# or values.


_ROWS = ["Group", "Read as", "Committed", "End", "Lag as listed", "Member id"]


def with_reasons(lines: pa.Table, files: Sequence[str]) -> pd.DataFrame:
    """Return rows of REJECTED or NOTES, in the order of files and lines. If there is a single file,
    the table has no column for its name.
    """
    table = (
        lines.select(["source_file", "source_line", "reason", "text"])
        .rename_columns(["File", "Line", "Reason", "Text"])
        .to_pandas()
    )
    return _in_order(table, files)


def rows_read(
    offsets: pa.Table, members: pa.Table, topics: pa.Table, files: Sequence[str], most: int
) -> pd.DataFrame:
    """Return the first `most` rows of the three tables together, in the order of files and
    lines.
    """
    columns = ["source_file", "source_line", "group_id"]
    numbers = ["committed_offset", "end_offset", "listed_lag", "member_id"]
    rows = [
        [*_head(row, columns), partition_name(row["topic"], row["partition"]), *_head(row, numbers)]
        for row in offsets.select([*columns, "topic", "partition", *numbers]).to_pylist()
    ]
    rows += [
        [*_head(row, columns), _of_member(row), None, None, None, row["member_id"]]
        for row in members.select([*columns, "member_id", "partition_count"]).to_pylist()
    ]
    rows += [
        [*_head(row, columns[:2]), None, _of_topic(row), None, None, None, None]
        for row in topics.select(
            [*columns[:2], "topic", "partition", "partition_count"]
        ).to_pylist()
    ]
    frame = pd.DataFrame(rows, columns=["File", "Line", *_ROWS])
    return _in_order(frame.astype(dict.fromkeys(_ROWS[2:5], "Int64")), files).head(most)


def _head(row: dict, columns: Sequence[str]) -> list:
    return [row[column] for column in columns]


def _of_member(row: dict) -> str:
    if row["member_id"] is None:
        return "the group"
    return (
        "a member"
        if row["partition_count"] is None
        else f"a member, {row['partition_count']:,} partitions"
    )


def _of_topic(row: dict) -> str:
    if row["partition"] is not None:
        return f"replicas of {partition_name(row['topic'], row['partition'])}"
    return f"topic {row['topic']}" + (
        "" if row["partition_count"] is None else f", {row['partition_count']:,} partitions"
    )


def _in_order(frame: pd.DataFrame, files: Sequence[str]) -> pd.DataFrame:
    place = {file: number for number, file in enumerate(files)}
    keys = {"File": frame["File"].map(place), "Line": frame["Line"]}
    ordered = frame.sort_values(
        list(keys), key=lambda column: keys[column.name], kind="stable", ignore_index=True
    )
    return ordered if len(files) > 1 else ordered.drop(columns="File")
