"""Reads metrics of exporters (Prometheus 0.0.4, OpenMetrics). The end of a metric's name, such as
`_lag`, decides the column of its value. Labels become the other columns.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.sources.facts import Facts, NoNumber, whole
from evenkeel.data.sources.printing_tool import tool_of
from evenkeel.data.sources.source import START, Context
from evenkeel.data.sources.synonyms import columns_of

NAME = "evenkeel-metrics"
FORMAT = "metrics of an exporter"
_NAMED_BY = 200
"""Number of lines that are searched for the exporter's name."""


_SAMPLE = re.compile(
    r"\s*([A-Za-z_:][\w:.]*)\s*(?:\{(.*)\}\s*|\s)(?:(?:=>|\|)\s*)?([+-]?[\w.+-]+)"
    r"(?:\s+@?\[?(-?[\d.]+)\]?)?(?:\s+#.*)?\s*"
)
"""`name{labels} value time`; promtool has `=> value @[time]`, a copied table `| value`."""

_LIKE_A_SAMPLE = re.compile(r"\s*[A-Za-z_:][\w:.]*(?:\{|\s+[-+]?[\d.]+(?!\S))")
_LABEL = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)')
_ABOUT = re.compile(r"\s*#(\s*(HELP|TYPE|UNIT)\s.*|\s*EOF\s*)")

_NOTHING = re.compile(r"(_sum|_max|_min|_avg|_total|_velocity|_members|_status|_seconds|_ms)$")
_SUMS = re.compile(r"(_sum_|_max_|_min_|_avg_|hot_partition)")
_MEANS = (
    ("listed_lag", re.compile(r"(^|_)lag(_offsets)?$")),
    ("committed_offset", re.compile(r"(consumer_?group|consumer|group)_(current_)?offset$")),
    ("committed_offset", re.compile(r"committed_offset$|(?<!topic_)partition_current_offset$")),
    (
        "end_offset",
        re.compile(
            r"(topic_partition_current_offset|topic_partition_offset|partition_latest_offset"
            r"|latest_offset|high_water_mark|log_?end_?offset|max_offset|next_offset)$"
        ),
    ),
    (
        "begin_offset",
        re.compile(r"(oldest_offset|earliest_offset|low_water_mark|log_?start_?offset)$"),
    ),
    ("group", re.compile(r"(consumer_?group_info|group_state)$")),
    ("size", re.compile(r"(topic_partitions|topic_info)$")),
)


class Sample(NamedTuple):
    """One sample. `family`: name of the metric."""

    family: str
    labels: Mapping[str, str]
    value: str
    time: datetime | None


def recognises(head: bytes, file: str) -> bool:
    """Return whether most lines at the start of a file are labelled samples, or the file starts
    with a comment about a family.
    """
    lines = [line for line in head.decode("utf-8", "replace").split("\n")[:200] if line.strip()]
    samples = sum(_sample(line) is not None and "{" in line for line in lines)
    others = sum(_sample(line) is None and not _ABOUT.match(line) for line in lines)
    return samples > others or bool(lines and _ABOUT.fullmatch(lines[0].rstrip()) and samples)


def is_labelled(line: str) -> bool:
    """Return whether a line is a sample with labels or a comment about a family."""
    return '="' in line and _sample(line) is not None or _ABOUT.match(line) is not None


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Parse metrics. A sample with a partition is a row, every other line a note.

    Raises
    ------
    SnapshotError
        If no family has offsets or lags of partitions.
    """
    lines = data.removesuffix(b"\n").decode("utf-8", "replace").split("\n")
    facts = Facts(file, context, len(lines))
    samples = []
    for number, line in enumerate(lines, context.first_line):
        sample = _sample(line)
        if sample is not None:
            samples.append((number, sample))
        elif _LIKE_A_SAMPLE.match(line):
            facts.other.reject(
                number, line.encode(), FORMAT, f"{line[:80]!r}, expected name{{labels}} value"
            )
    add_samples(facts, samples)
    if not facts.offsets:
        names = list(dict.fromkeys(sample.family for _, sample in samples))
        raise SnapshotError(
            f"{file} is metrics ({', '.join(names[:4])}): it has no offsets or lag of a partition; "
            "print a family with a label for the partition, such as kafka_consumergroup_lag or "
            "records_lag, or kafka-consumer-groups.sh --describe"
        )
    return facts.parsed(FORMAT, tool_of("\n".join(lines[:_NAMED_BY])))


def add_samples(facts: Facts, samples: list[tuple[int, Sample]]) -> None:
    """Add the rows of samples. A topic's begin and end offsets are added to all groups of the
    topic.
    """
    rows = list(_rows(samples))
    groups: dict[tuple, dict[Any, None]] = {}
    for _, _, row in rows:
        if row["owner_known"]:
            groups.setdefault((row["topic"], row["partition"]), {})[row.get("group_id")] = None
    seen: dict[tuple, tuple] = {}
    for number, sample, row in rows:
        for group_id in (
            [row.get("group_id")]
            if row["owner_known"]
            else groups.get((row["topic"], row["partition"]), ())
        ):
            _add(facts, number, sample, row | {"group_id": group_id}, seen)
    for number, sample in samples:
        _add_about(facts, number, sample)
    of_clients = [number for number, _, row in rows if "client_id" in row]
    if of_clients and not any("group_id" in row for _, _, row in rows):
        facts.remark("one_client", facts.context.group_id, of_clients[0])


def _add(facts: Facts, number: int, sample: Sample, row: dict, seen: dict[tuple, tuple]) -> None:
    """Add a sample. If several samples have the same group, topic, partition and column, the newest
    is used; without times, the largest value.
    """
    column = row["column"]
    key = (row["group_id"], row["topic"], row["partition"], column)
    try:
        value = whole(sample.value)
    except NoNumber:
        return
    rank = (sample.time or datetime.min.replace(tzinfo=UTC), -1 if value is None else value)
    if key in seen:
        known_rank, place = seen[key]
        if rank[0] == known_rank[0] and rank[1] != known_rank[1]:
            facts.remark("two_sources", row["group_id"] or facts.context.group_id, number)
        if rank > known_rank:
            facts.offsets[place] |= {column: value, "taken_at": sample.time}
            seen[key] = rank, place
        return
    try:
        facts.add_partition(number, row | {column: value, "taken_at": None})
    except NoNumber:
        return
    if sample.time is not None:
        facts.offsets[-1]["taken_at"] = sample.time
    # Each family is a separate format, so that rows of several families complete each other.
    facts.offsets[-1]["source_format"] = f"{FORMAT}: {sample.family}"
    seen[key] = rank, len(facts.offsets) - 1


def _rows(samples: list[tuple[int, Sample]]) -> Iterator[tuple[int, Sample, dict]]:
    for number, sample in samples:
        column = meaning_of(sample.family)
        if column not in ("listed_lag", "committed_offset", "end_offset", "begin_offset"):
            continue
        labels = {name: value for name, value in sample.labels.items() if name != "instance"}
        names = list(labels)
        row = {name: labels[names[place]] for name, place in columns_of(names).items()}
        if row.get("topic") and row.get("partition"):
            if column == "committed_offset" and _is_end(sample.family, row):
                column = "end_offset"
            row = {
                name: value
                for name, value in row.items()
                if name in ("group_id", "topic", "partition", "member_id", "client_id", "host")
            }
            is_of_group = column in ("listed_lag", "committed_offset")
            yield number, sample, row | {"column": column, "owner_known": is_of_group}


def _is_end(family: str, row: Mapping[str, str]) -> bool:
    """Return whether a sample that looks like a commit is a partition's end offset."""
    name = family.casefold()
    return (
        not {"group_id", "member_id", "client_id"} & set(row)
        and ("topic" in name or "partition" in name)
        and not any(word in name for word in ("commit", "consumer", "group"))
    )


def _add_about(facts: Facts, number: int, sample: Sample) -> None:
    meaning = meaning_of(sample.family)
    labels = sample.labels
    names = list(labels)
    named = {name: labels[names[place]] for name, place in columns_of(names).items()}
    if meaning == "group" and named.get("group_id") and sample.value not in ("0", "0.0"):
        facts.add_group(number, named)
    elif meaning == "size" and named.get("topic"):
        count = labels.get("partition_count", sample.value)
        topic_names = {row["topic"] for row in facts.offsets}
        if count.removesuffix(".0").isdigit() and named["topic"] in topic_names:
            facts.add_topic(number, named["topic"], int(float(count)))


def meaning_of(family: str) -> str | None:
    """Return the column of a family's values. Return `group` for a family about groups, `size` for
    partition counts, None for an unknown family.
    """
    name = family.casefold().replace(":", "_").replace(".", "_")
    # OpenTelemetry's name for figures without a unit.
    name = name.removesuffix("_ratio")
    column = next((column for column, pattern in _MEANS if pattern.search(name)), None)
    is_sum = _NOTHING.search(name) or _SUMS.search(name)
    return None if is_sum and column not in ("end_offset", "begin_offset") else column


def _sample(line: str) -> Sample | None:
    match = _SAMPLE.fullmatch(line.rstrip("\r"))
    if match is None or line.lstrip().startswith("#"):
        return None
    labels = _labels(match[2] or "")
    try:
        float(match[3])
    except ValueError:
        return None
    return None if labels is None else Sample(match[1], labels, match[3], _time(match[4]))


def _labels(text: str) -> dict[str, str] | None:
    labels, at = {}, 0
    while at < len(text) and text[at:].strip():
        match = _LABEL.match(text, at)
        if match is None:
            return None
        labels[match[1]] = re.sub(
            r"\\(.)", lambda mark: "\n" if mark[1] == "n" else mark[1], match[2]
        )
        at = match.end()
    return labels


def _time(text: str | None) -> datetime | None:
    try:
        seconds = float(text) if text else None
        if seconds is None:
            return None
        return datetime.fromtimestamp(seconds / 1000 if seconds > 1e11 else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
