"""The lines of an upload that were rejected, noted or read: each with its file, its number, and its reason or values."""

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from evenkeel.data.words.names import partition_name

_ROWS = ["Group", "Read as", "Committed", "End", "Lag as listed", "Member id"]


def with_reasons(lines: pa.Table, files: Sequence[str]) -> pd.DataFrame:
    """Return rows of REJECTED or NOTES in the order of files and lines; a single file is not named."""
    table = lines.select(["source_file", "source_line", "reason", "text"]).rename_columns(["File", "Line", "Reason", "Text"]).to_pandas()
    return _in_order(table, files)


def rows_read(offsets: pa.Table, members: pa.Table, topics: pa.Table, files: Sequence[str], most: int) -> pd.DataFrame:
    """Return the first `most` rows of the three tables as one, in the order of files and lines."""
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
        for row in topics.select([*columns[:2], "topic", "partition", "partition_count"]).to_pylist()
    ]
    frame = pd.DataFrame(rows, columns=["File", "Line", *_ROWS])
    return _in_order(frame.astype(dict.fromkeys(_ROWS[2:5], "Int64")), files).head(most)


def _head(row: dict, columns: Sequence[str]) -> list:
    return [row[column] for column in columns]


def _of_member(row: dict) -> str:
    if row["member_id"] is None:
        return "the group"
    return "a member" if row["partition_count"] is None else f"a member, {row['partition_count']:,} partitions"


def _of_topic(row: dict) -> str:
    if row["partition"] is not None:
        return f"replicas of {partition_name(row['topic'], row['partition'])}"
    return f"topic {row['topic']}" + ("" if row["partition_count"] is None else f", {row['partition_count']:,} partitions")


def _in_order(frame: pd.DataFrame, files: Sequence[str]) -> pd.DataFrame:
    place = {file: number for number, file in enumerate(files)}
    keys = {"File": frame["File"].map(place), "Line": frame["Line"]}
    ordered = frame.sort_values(list(keys), key=lambda column: keys[column.name], kind="stable", ignore_index=True)
    return ordered if len(files) > 1 else ordered.drop(columns="File")
