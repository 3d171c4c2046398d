"""Messages about the input for pages and commands: rejected lines with reasons, repeated readings,
rebalancing groups.
"""

import re
from collections import Counter
from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables.lost_rows import LostRows
from evenkeel.data.group.tables.parsed import REBALANCING, ParsedTables, groups_told
from evenkeel.data.sources.latest import EARLIER
from evenkeel.data.text.formats import counted

EARLIER_READINGS = "several readings of the same partitions: only the latest is used"

_PROMPT = re.compile(r"\s*(?:\S+@\S+[^#$%>]*|\([\w.-]+\)\s*\S*|[\w.~/\[\]-]{0,60})[#$%>]\s+\S")
_DETAIL = re.compile(r"\"[^\"]*\"|'[^']*'|\d[\d,.]*")
_LOOKED_AT = 10_000
"""Number of rejected lines that are searched for the most frequent reason."""


def messages_about(parsed: ParsedTables, names: Collection[str | None] | None = None) -> list[str]:
    """Return sentences about the input. `names`: the groups to report, None for all groups."""
    notes = groups_told(parsed.notes, REBALANCING)
    rebalancing = sorted({name for name, _ in notes if names is None or name in names})
    has_earlier = bool(pc.any(pc.equal(parsed.notes["reason"], EARLIER)).as_py())
    lost = [name for name in LostRows.of_all(parsed).lost_groups if names is None or name in names]
    rejected = rejected_words(parsed.rejected, parsed.rejected.num_rows, parsed.line_count)
    return [
        *(f"{name} {REBALANCED}" for name in rebalancing),
        *([EARLIER_READINGS] if has_earlier else []),
        *([rejected] if rejected else []),
        *(f"no row of {name} could be read" for name in lost),
    ]


REBALANCED = (
    "was rebalancing when this was printed. Some partitions may show no owner, "
    "or an owner that has already given them up"
)


def read_as(formats: Collection[str], groups: pa.Table) -> str:
    """`Read as rpk group describe: 2 groups, 8 partitions, owners known, 1 member owns nothing.`

    `groups`: a row for each group, with `partition_count`, `member_count` and `idle_members`, null
    if unknown.
    """
    if not formats:
        return "Nothing was recognised."
    parts = [counted(groups.num_rows, "group")]
    if partitions := pc.sum(groups["partition_count"]).as_py():
        parts.append(counted(partitions, "partition"))
    parts.append("owners known" if _has_owners(formats, groups) else "owners unknown")
    if idle := pc.sum(groups["idle_members"]).as_py():
        verb = "owns" if idle == 1 else "own"
        parts.append(f"{counted(idle, 'member')} {verb} nothing")
    return f"Read as {' · '.join(formats)}: {', '.join(parts)}."


def not_in_it(formats: Collection[str], groups: pa.Table) -> str:
    """Return a sentence that says that owners are missing, with the command that prints them. It is
    empty if owners are known.
    """
    if not groups.num_rows or _has_owners(formats, groups):
        return ""
    is_of_streams = any(name.startswith("kafka-streams-groups") for name in formats)
    command = (
        "kafka-streams-groups.sh --describe --members"
        if is_of_streams
        else "kafka-consumer-groups.sh --describe --members --verbose"
    )
    return f"The owners of partitions are missing. Add {command}."


_WITH_OWNERS = ("kafka-consumer-groups --describe", "kafka-share-groups")
"""Kafka's listings with a column for owners: an empty cell means that the partition has no owner.
Formats of other tools are not listed here, because texts of these tools may lack that column.
"""


def _has_owners(formats: Collection[str], groups: pa.Table) -> bool:
    is_listing = any(name.startswith(_WITH_OWNERS) and "--state" not in name for name in formats)
    return is_listing or bool(pc.any(pc.greater(groups["member_count"], 0)).as_py())


def rejected_words(rejected: pa.Table, count: int, line_count: int) -> str:
    """Return a text with the number of rejected lines and the most frequent reason. It is empty if
    no line was rejected.

    `rejected`: all rejected lines, or the first of them. Shell prompts are not counted as a reason.
    """
    if not count:
        return ""
    head = f"{count:,} of {counted(line_count, 'line')} rejected"
    reason = usual_reason(rejected)
    return f"{head}, {reason}" if reason else f"{head}: the prompt of a shell"


def usual_reason(rejected: pa.Table) -> str:
    """Return the most frequent reason and the first line that was rejected for it; empty if all
    lines are shell prompts.
    """
    rows = [
        row
        for row in rejected.slice(0, _LOOKED_AT).to_pylist()
        if not _PROMPT.match(row["text"] or "")
    ]
    if not rows:
        return ""
    kinds = [_DETAIL.sub("…", row["reason"]) for row in rows]
    usual, times = Counter(kinds).most_common(1)[0]
    first = rows[kinds.index(usual)]
    which = "the first" if kinds[0] == usual else f"{times:,} of them as"
    colon = ":" if kinds[0] == usual else ""
    return f"{which}{colon} {first['source_file']} line {first['source_line']}: {first['reason']}"
