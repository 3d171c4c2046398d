"""The groups in the files that a command names."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evenkeel.data.columns import ApplicationTables, GroupKey, application_from_tables, group_keys, observed_from_tables
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.commands.options.columns import Columns, not_used_line
from evenkeel.data.commands.printing.terminal_text import printable
from evenkeel.data.configuration import configuration
from evenkeel.data.document import Application
from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.inputs import Readable, files_of
from evenkeel.data.sources.reading import read
from evenkeel.data.tables.notes import ERROR, NO_MEMBERS, groups_told, is_told, not_used
from evenkeel.data.tables.parsed import Parsed
from evenkeel.data.words.formats import counted

STANDARD_INPUT = "-"


def add_paths(parser: argparse.ArgumentParser):
    """Declare the files, which may stand before or behind the options."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="a listing, CSV, group document or streams document, a folder of them, or - for standard input",
    )


def split_paths(options: argparse.Namespace, option: str):
    """Give back to `paths` the files that argparse took for further values of an option of several values."""
    values = getattr(options, option)
    if options.paths or not values:
        return
    options.paths = [word for word in values[1:] if word == STANDARD_INPUT or Path(word).exists()]
    setattr(options, option, [word for word in values if word not in options.paths])


class Groups(NamedTuple):
    """What was read, and the groups of it that are wanted."""

    parsed: Parsed
    keys: list[GroupKey]

    @property
    def names(self) -> set[str | None]:
        """None: one without a name."""
        return {key.group_id for key in self.keys}

    def observed(self, key: GroupKey) -> ObservedGroup:
        """Return one of the groups."""
        tables, budget = (self.parsed.offsets, self.parsed.members, self.parsed.topics), configuration().command_line
        found = observed_from_tables(*tables, *key, budget=budget)
        has_none = found.may_have_members and is_told(groups_told(self.parsed.notes, NO_MEMBERS), *key)
        return found.without_members() if has_none else found

    def application(self, key: GroupKey) -> Application | None:
        """Return one of the groups as a streams document, None where it is no application."""
        tables = ApplicationTables(self.parsed.tasks, self.parsed.consumers, self.parsed.members, self.parsed.offsets)
        return application_from_tables(tables, *key)


def wanted_groups(
    paths: Sequence[str], wanted: Sequence[str], columns: Columns = (), numbers: str | None = None, inputs: Sequence[Readable] = ()
) -> Groups:
    """Read files and choose groups, all if none is named. `inputs`: what the paths name, where that is known already.

    A single name that no file has is the name of the group in listings without group names.

    Raises
    ------
    SnapshotError
        When nothing can be read, or a wanted group is not there.
    """
    inputs = inputs or inputs_of(paths)
    found = read_groups(inputs, columns=columns, numbers=numbers)
    if len(wanted) == 1 and wanted[0] not in found.names and None in found.names:
        found = read_groups(inputs, wanted[0], columns, numbers)
    missing = [name for name in wanted if name not in found.names]
    if missing:
        raise SnapshotError(f'no group "{missing[0]}" in {", ".join(paths)}, found {names_of(found.keys)}')
    for message in messages(found.parsed):
        print(printable(f"evenkeel: {message}"), file=sys.stderr)
    return Groups(found.parsed, [key for key in found.keys if not wanted or key.group_id in wanted])


def read_groups(inputs: Sequence[Readable], group_id: str | None = None, columns: Columns = (), numbers: str | None = None) -> Groups:
    """Read all groups of some files; `group_id`: of listings that name none. SnapshotError when nothing can be read."""
    parsed = read(inputs, group_id=group_id, named_columns=columns, numbers=numbers)
    return Groups(parsed, _keys(parsed))


def messages(parsed: Parsed) -> list[str]:
    """Say what was not read: columns that are not used, and lines that are rejected."""
    unused = [not_used_line(*header) for header in not_used(parsed.notes)]
    rejected = f"{parsed.rejected.num_rows:,} of {counted(parsed.line_count, 'line')} rejected, {_first_rejected(parsed)}"
    return [*unused, *([rejected] if parsed.rejected.num_rows else [])]


def names_of(keys: Sequence[GroupKey]) -> str:
    """Return the names of groups in one line."""
    return ", ".join(map(_named, keys))


def _named(key: GroupKey) -> str:
    if key.group_id is not None:
        return key.group_id
    return "one without a name" + (f" in {key.source_file}" if key.source_file is not None else "")


def inputs_of(paths: Sequence[str]) -> list[Readable]:
    """Return the files that paths name, and what standard input holds.

    Raises
    ------
    SnapshotError
        When none is named, or one is not there.
    """
    if not paths:
        raise SnapshotError("no PATH, expected a listing, CSV or group document, or - for standard input")
    files = [path for path in paths if path != STANDARD_INPUT]
    read_in = [("standard input", sys.stdin.buffer.read())] if STANDARD_INPUT in paths else []
    return [*read_in, *(files_of(files) if files else ())]


def _keys(parsed: Parsed) -> list[GroupKey]:
    keys = group_keys(parsed.offsets, parsed.members, parsed.topics)
    if keys:
        return keys
    why = _first_error(parsed) or _first_rejected(parsed) or "none of them about a group"
    raise SnapshotError(f"nothing readable: {counted(parsed.line_count, 'line')}, {why}")


def _first_error(parsed: Parsed) -> str:
    """Return what the tool that printed the files called an error: Kafka's own class, where a line names it."""
    errors = [note for note in parsed.notes.to_pylist() if note["reason"] == ERROR]
    first = next((note for note in errors if "Exception" in note["text"]), next(iter(errors), None))
    return (
        f"the tool that printed this reported an error: {first['source_file']} line {first['source_line']}: {first['text'].strip()}"
        if first
        else ""
    )


def _first_rejected(parsed: Parsed) -> str:
    first = next(iter(parsed.rejected.slice(0, 1).to_pylist()), None)
    return f"the first: {first['source_file']} line {first['source_line']}: {first['reason']}" if first else ""
