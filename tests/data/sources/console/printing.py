"""Offsets listings as Kafka's tools print them: the printf formats of each version, with Java's
padding.
"""

import re
from typing import NamedTuple


class Line(NamedTuple):
    """What the tool knows of one partition, None where it prints that there is nothing."""

    group: str
    topic: str | None
    partition: int | None
    committed: int | None
    end: int | None
    member: str | None
    host: str | None
    client: str | None
    epoch: int | None = None

    @property
    def lag(self):
        return None if None in (self.committed, self.end) else self.end - self.committed


def java_width(text):
    """Return `String.length()`."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def java_format(pattern, *cells):
    """Return `String.format` of `%s` and `%-<width>s`; a width of 0 stands for none."""
    texts = iter(cells)
    return re.sub(
        r"%(?:-(\d+))?s",
        lambda found: (text := next(texts)) + " " * (int(found[1] or 0) - java_width(text)),
        pattern,
    )


def text_of(value, missing="-"):
    """Return what the tool prints for a value."""
    return missing if value is None else str(value)


def widest(least, texts):
    """Return the width of a column."""
    return max([least, *map(java_width, texts)])


def _owner(line):
    return "none" if line.member is None else f"{line.client}_{line.host}"


def _old_rows(pattern, header, lines):
    numbers = (
        [text_of(number, "unknown") for number in (line.committed, line.end, line.lag)]
        for line in lines
    )
    rows = [
        java_format(pattern, line.group, line.topic, str(line.partition), *cells, _owner(line))
        for line, cells in zip(lines, numbers, strict=False)
    ]
    return "\n".join([java_format(pattern, *header), *rows, ""])


def kafka_0_8_2(lines):
    return _old_rows(
        "%-15s %-30s %-3s %-15s %-15s %-15s %s",
        ["Group", "Topic", "Pid", "Offset", "logSize", "Lag", "Owner"],
        lines,
    )


def kafka_0_9_0(lines):
    return _old_rows(
        "%s, %s, %s, %s, %s, %s, %s",
        ("GROUP", "TOPIC", "PARTITION", "CURRENT OFFSET", "LOG END OFFSET", "LAG", "OWNER"),
        lines,
    )


def kafka_0_10_0(lines):
    return _old_rows(
        "%-30s %-30s %-10s %-15s %-15s %-15s %s",
        ("GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "OWNER"),
        lines,
    )


_COLUMNS = (
    "TOPIC",
    "PARTITION",
    "CURRENT-OFFSET",
    "LOG-END-OFFSET",
    "LAG",
    "CONSUMER-ID",
    "HOST",
    "CLIENT-ID",
)


def _cells(line):
    return tuple(
        text_of(cell)
        for cell in (
            line.topic,
            line.partition,
            line.committed,
            line.end,
            line.lag,
            line.member,
            line.host,
            line.client,
        )
    )


def kafka_0_10_2(lines):
    pattern = "%-30s %-10s %-15s %-15s %-10s %-50s%-30s %s"
    return "\n" + "\n".join(
        [
            java_format(pattern, *_COLUMNS),
            *(java_format(pattern, *_cells(line)) for line in lines),
            "",
        ]
    )


def _new_pattern(lines):
    topic, member, host = (
        widest(15, (text_of(getattr(line, name)) for line in lines))
        for name in ("topic", "member", "host")
    )
    return f"%-{topic}s %-10s %-15s %-15s %-15s %-{member}s %-{host}s %s"


def kafka_2_0(lines):
    """1.1 to 2.2."""
    pattern = _new_pattern(lines)
    return "\n" + "\n".join(
        [
            java_format(pattern, *_COLUMNS),
            *(java_format(pattern, *_cells(line)) for line in lines),
            "",
        ]
    )


def _by_group(lines):
    groups = dict.fromkeys(line.group for line in lines)
    return [[line for line in lines if line.group == group] for group in groups]


def kafka_2_3(lines):
    """2.3 to 4.x: a block for each group."""
    text = ""
    for block in _by_group(lines):
        pattern = f"\n%-{widest(15, (line.group for line in block))}s {_new_pattern(block)}"
        text += (
            java_format(pattern, "GROUP", *_COLUMNS)
            + "".join(java_format(pattern, line.group, *_cells(line)) for line in block)
            + "\n"
        )
    return text


def kafka_4_verbose(lines):
    text = ""
    for block in _by_group(lines):
        pattern = f"\n%-{widest(15, (line.group for line in block))}s " + _new_pattern(
            block
        ).replace("%-10s", "%-10s %-15s", 1)
        rows = (
            (line.group, *_cells(line)[:2], text_of(line.epoch), *_cells(line)[2:])
            for line in block
        )
        text += (
            java_format(pattern, "GROUP", *_COLUMNS[:2], "LEADER-EPOCH", *_COLUMNS[2:])
            + "".join(java_format(pattern, *row) for row in rows)
            + "\n"
        )
    return text
