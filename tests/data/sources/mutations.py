"""Mutated inputs: `python -m tests.data.sources.mutations [LINES [SEED]]` changes so many lines of
texts of every kind and prints each text in which a line, a row or a figure is not accounted for.
"""

import random
import re
import sys
from collections.abc import Iterator
from textwrap import dedent
from typing import NamedTuple

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.sources.inputs import read
from tests.data.sources.corpus import CORPUS
from tests.data.sources.test_any_tool import CUT, FRAME, PRINTED, PSQL, TOOLS

METRICS = "\n".join(
    f'kafka_consumergroup_{name}{{consumergroup="billing",topic="invoices",partition="{p}"}}'
    f" {p + 7}"
    for name in ("lag", "current_offset")
    for p in range(4)
)
CSV = "group;topic;partition;offset;size\nbilling;invoices;0;88100;88140\nbilling;invoices;1;;0\n"
KCAT = (
    'topic "in" with 2 partitions:\nin [0] offset 7000\nin [1] offset'
    " 7100\n\nin,0,6500\nin,1,6600\n"
)
FORMATTER = (
    "[billing,in,0]::OffsetAndMetadata(offset=5, leaderEpoch=Optional[0], metadata=)\n"
    "[billing,in,1]::OffsetAndMetadata(offset=6, leaderEpoch=Optional[0], metadata=)\n"
    "[billing,in,1]::NULL\n"
)
CLIENTS = (
    "[2026-11-27 10:00:00,000] INFO [Consumer clientId=c-1, groupId=billing] Finished assignment"
    " for group at generation 3: {c-1-aa=Assignment(partitions=[in-0, in-1])}"
    " (o.a.k.C)\n[2026-11-27 10:00:01,000] INFO [Consumer clientId=c-1, groupId=billing] Adding"
    " newly assigned partitions: in-0, in-1 (o.a.k.C)\n"
)
RECORDS = {"cut": CUT, "frame": FRAME, "psql": PSQL.replace("1.25e+03", "1250")}
TEXTS = {name: dedent(text) for name, text in (TOOLS | PRINTED | RECORDS).items()}
TEXTS |= {"metrics": METRICS, "csv": CSV, "kcat": KCAT, "formatter": FORMATTER, "clients": CLIENTS}
TEXTS |= {path.name: path.read_text("utf-8", "replace") for path in CORPUS.glob("*-*.txt")}

_MARKS = "|\t;, -0179/.:(){}[]\"'=#$>aé\u00a0\x1b\x00"
_NUMBERS = ("partition", "committed_offset", "end_offset", "begin_offset", "listed_lag")
_NAMES = ("group_id", "topic", "member_id", "client_id", "host")
_PLAIN = str.maketrans("\u2013\u2212", "--", ",.'_ \u00a0\u2009\u202f\"\\*`\x00\x1b")


class Fault(NamedTuple):
    """What is wrong with a text, and the text."""

    name: str
    what: str
    text: str


def mutated(line: str, source: random.Random) -> str:
    """Return a line with a part cut, doubled, or replaced by a mark."""
    at, size = source.randrange(len(line) + 1), source.randrange(9)
    piece = source.choice(["", source.choice(_MARKS), line[at : at + size] * 2])
    return line[:at] + piece + line[at + size :]


def faults(most: int, seed: int = 1) -> Iterator[Fault]:
    """Yield what is wrong in texts with so many mutated lines."""
    source = random.Random(seed)
    rows = {name: dict(_rows(_read(text))) for name, text in TEXTS.items()}
    count = 0
    while count < most:
        for name, text in TEXTS.items():
            lines = text.split("\n")
            of_rows = [place for place in rows[name] if place <= len(lines)]
            is_of_rows = bool(of_rows) and source.random() < 0.5
            places = [place - 1 for place in of_rows] if is_of_rows else range(len(lines))
            changed = {place for place in places if lines[place] and source.random() < 0.6}
            for place in changed:
                lines[place] = mutated(lines[place], source)
            if not is_of_rows and source.random() < 0.1:
                source.shuffle(lines)
            count += len(changed)
            whole = {at: row for at, row in rows[name].items() if at - 1 not in changed}
            what = _fault("\n".join(lines), whole if is_of_rows else {})
            if what is not None:
                yield Fault(name, what, "\n".join(lines))


def _read(text: str) -> ParsedTables:
    return read([("paste", text.encode("utf-8", "surrogateescape"))])


def _rows(parsed: ParsedTables) -> Iterator[tuple[int, dict]]:
    for table in (parsed.offsets, parsed.earlier):
        for row in table.to_pylist():
            yield row["source_line"], row


def _fault(text: str, whole: dict[int, dict]) -> str | None:
    """Return what is wrong; `whole`: the rows of lines that are as they were."""
    try:
        parsed = _read(text)
    except SnapshotError:
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    counts = parsed.row_count, parsed.note_count, parsed.rejected.num_rows
    if sum(counts) != parsed.line_count or min(counts) < 0:
        return f"rows, notes and rejected lines are {counts}, lines are {parsed.line_count}"
    return _invented(parsed, text) or _lost(parsed, whole)


def _invented(parsed: ParsedTables, text: str) -> str | None:
    plain, names = text.translate(_PLAIN), text.replace("\\", "")
    for _, row in _rows(parsed):
        for column in _NUMBERS:
            if row[column] not in (None, 0) and str(row[column]) not in plain:
                return f"{column} {row[column]} is not in the text"
        for column in _NAMES:
            parts = re.split("[@\x00\x1b]", row[column] or "")
            if not all(part.translate(_PLAIN) in names.translate(_PLAIN) for part in parts):
                return f"{column} {row[column]!r} is not in the text"
    return None


def _lost(parsed: ParsedTables, whole: dict[int, dict]) -> str | None:
    here = dict(_rows(parsed))
    rejected = set(parsed.rejected["source_line"].to_pylist())
    lost = [line for line in whole if line not in here and line not in rejected]
    return f"the row of line {lost[0]} is neither a row nor rejected" if lost else None


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    wrong = list(faults(*(numbers or [40_000])))
    for fault in wrong:
        print(f"{fault.name}: {fault.what}\n{fault.text}\n{'-' * 80}")
    print(f"{len(wrong):,} faults")
    sys.exit(bool(wrong))
