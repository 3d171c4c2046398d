"""The groups of a command: in its files, or in a live cluster."""

import argparse
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evenkeel.data.commands.text import printable
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import (
    ApplicationTables,
    GroupKey,
    application_from_tables,
    group_keys,
    observed_from_document,
    observed_from_tables,
)
from evenkeel.data.group.columns.from_tables import of_group
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.state_lines import with_notes
from evenkeel.data.group.document import Application, Document
from evenkeel.data.group.tables.parsed import ERROR, ParsedTables, not_used
from evenkeel.data.scenarios.size import require_group
from evenkeel.data.sources.inputs import files_of, read
from evenkeel.data.sources.reading_words import messages_about, usual_reason
from evenkeel.data.sources.source import START, Context, Readable
from evenkeel.data.text.formats import counted
from evenkeel.data.text.names import group_name

if TYPE_CHECKING:
    from evenkeel.data.live.reading.documents import LiveGroup

from evenkeel.data.commands.options.columns import context_of, not_used_line

STANDARD_INPUT = "-"


def add_paths(parser: argparse.ArgumentParser):
    """Declare the files, which may come before or after the options."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help=(
            "a listing, CSV, group document or streams document; a folder with such files; or - for"
            " standard input"
        ),
    )


def split_paths(options: argparse.Namespace, option: str):
    """Move files from the values of `option` to `paths`. If files follow an option with several
    values, argparse takes the files as values of this option.
    """
    values = getattr(options, option)
    if options.paths or not values:
        return
    options.paths = [word for word in values[1:] if word == STANDARD_INPUT or Path(word).exists()]
    setattr(options, option, [word for word in values if word not in options.paths])


class Groups(NamedTuple):
    """The tables of all files, and the keys of the chosen groups."""

    parsed: ParsedTables
    keys: list[GroupKey]

    @property
    def names(self) -> set[str | None]:
        """Names of the groups; None for a group without a name."""
        return {key.group_id for key in self.keys}

    def observed(self, key: GroupKey) -> ObservedGroup:
        """Return the group with this key."""
        tables, budget = (
            (self.parsed.offsets, self.parsed.members, self.parsed.topics),
            configuration().command_line,
        )
        group = observed_from_tables(*tables, *key, budget=budget)
        rows, notes = of_group(self.parsed.offsets, key), self.parsed.notes
        return with_notes(group, notes, key, rows)[0]

    def only(self) -> ObservedGroup | Application:
        """Return the only group."""
        return self.application(self.keys[0]) or self.observed(self.keys[0])

    def application(self, key: GroupKey) -> Application | None:
        """Return the streams document of the group with this key. None if the group is not a Kafka
        Streams application.
        """
        if not self.parsed.consumers.num_rows:
            return None
        tables = ApplicationTables(
            self.parsed.tasks, self.parsed.consumers, self.parsed.members, self.parsed.offsets
        )
        return application_from_tables(tables, *key)


def wanted_groups(
    paths: Sequence[str],
    wanted: Sequence[str],
    context: Context = START,
    inputs: Sequence[Readable] = (),
) -> Groups:
    """Read files and choose groups.

    `wanted`: names of groups; if empty, all groups. `inputs`: contents of `paths`; if empty, the
    paths are read. If `wanted` has one name and no file contains this name, listings without a
    group name are read as this group.

    Raises
    ------
    SnapshotError
        If nothing is readable, or a wanted group is missing.
    """
    inputs = inputs or inputs_of(paths)
    groups = read_groups(inputs, context)
    if len(wanted) == 1 and wanted[0] not in groups.names and None in groups.names:
        groups = read_groups(inputs, replace(context, group_id=wanted[0]))
    missing = [name for name in wanted if name not in groups.names]
    if missing:
        raise SnapshotError(
            f'no group "{missing[0]}" in {", ".join(paths)}, found {names_of(groups.keys)}'
        )
    for message in messages(groups.parsed, wanted or None):
        print(printable(f"evenkeel: {message}"), file=sys.stderr)
    return Groups(
        groups.parsed, [key for key in groups.keys if not wanted or key.group_id in wanted]
    )


def read_groups(inputs: Sequence[Readable], context: Context = START) -> Groups:
    """Read all groups of some files; SnapshotError if nothing is readable."""
    parsed = read(inputs, context)
    return Groups(parsed, _keys(parsed))


def messages(parsed: ParsedTables, names: Collection[str | None] | None = None) -> list[str]:
    """Return messages about unused columns and unread lines.

    `names`: groups whose unread lines are reported; None: all groups.
    """
    unused = [not_used_line(*header) for header in not_used(parsed.notes)]
    return [*unused, *messages_about(parsed, names)]


def names_of(keys: Sequence[GroupKey]) -> str:
    """Return the names of groups in one line."""
    return ", ".join(group_name(*key) for key in keys)


def inputs_of(paths: Sequence[str]) -> list[Readable]:
    """Return the named files, and the text of standard input.

    Raises
    ------
    SnapshotError
        If no file is named, or a file is missing.
    """
    if not paths:
        raise SnapshotError(
            "no PATH, expected a listing, CSV or group document, or - for standard input"
        )
    files = [path for path in paths if path != STANDARD_INPUT]
    read_in = [("standard input", sys.stdin.buffer.read())] if STANDARD_INPUT in paths else []
    return [*read_in, *(files_of(files) if files else ())]


def _keys(parsed: ParsedTables) -> list[GroupKey]:
    keys = group_keys(parsed.offsets, parsed.members, parsed.topics)
    if parsed.formats and all("--list" in format for format in parsed.formats):
        raise SnapshotError(
            f"the input is a list of {counted(len(keys), 'group')} without offsets; expected output"
            " of kafka-consumer-groups.sh --describe --all-groups"
        )
    if keys:
        return keys
    why = _first_error(parsed) or usual_reason(parsed.rejected) or "none of them about a group"
    raise SnapshotError(f"nothing readable: {counted(parsed.line_count, 'line')}, {why}")


def _first_error(parsed: ParsedTables) -> str:
    """Return the first Kafka exception that the listing tool printed, else its first error."""
    errors = [note for note in parsed.notes.to_pylist() if note["reason"] == ERROR]
    first = next((note for note in errors if "Exception" in note["text"]), next(iter(errors), None))
    return (
        f"the listing tool reported an error: {first['source_file']} line"
        f" {first['source_line']}: {first['text'].strip()}"
        if first
        else ""
    )


# Groups of a live cluster for a command that otherwise reads files.


def add_cluster(parser: argparse.ArgumentParser):
    """Declare the option for a live cluster."""
    parser.add_argument(
        "--cluster",
        metavar="NAME",
        help=(
            "read a live cluster in place of files: its name in the configuration or, if [live]"
            " free_form is true, its address; Evenkeel sends only describe, list and offset calls"
        ),
    )


def live_documents(cluster: str, wanted: Sequence[str], paths: Sequence[str]) -> list[Document]:
    """Return the group documents of the groups in `wanted`, or of all groups if `wanted` is empty.

    Raises as `named_groups`.
    """
    return [group.document for group in named_groups(cluster, wanted, paths)]


def named_groups(cluster: str, wanted: Sequence[str], paths: Sequence[str]) -> "list[LiveGroup]":
    """Return the groups in `wanted`, or all groups of the cluster if `wanted` is empty.

    Unreadable groups are left out. Standard error has a note on each unreadable part.

    Raises
    ------
    SnapshotError
        If `paths` is not empty, the cluster cannot be read, or a group in `wanted` is missing.
    """
    if paths:
        raise SnapshotError(f"--cluster {cluster} and the file {paths[0]}, expected one of them")
    groups, notes = read_live(cluster, wanted)
    for note in notes:
        print(printable(f"evenkeel: {note}"), file=sys.stderr)
    return groups


def read_live(cluster: str, wanted: Sequence[str]) -> "tuple[list[LiveGroup], list[str]]":
    """Return the groups that `named_groups` returns, and notes on unreadable parts.

    Raises as `named_groups`.
    """
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.reading.documents import live_groups
    from evenkeel.data.live.reading.group_list import chosen_groups, left_out

    with connected(cluster) as connection:
        groups = live_groups(connection, chosen_groups(connection, wanted))
        hidden = None if wanted else left_out(connection)
    notes = [
        *([hidden] if hidden else []),
        *(f"{group.group_id}: {problem}" for group in groups for problem in group.problems),
    ]
    lost = [
        group.group_id for group in groups if group.document is None and group.group_id in wanted
    ]
    if lost:
        raise SnapshotError(
            "; ".join([f'cluster {cluster}: group "{lost[0]}" cannot be read', *notes])
        )
    return [group for group in groups if group.document is not None], notes


# The one group or application that a command is about.


def chosen_key(options: argparse.Namespace, inputs: Sequence[Readable]) -> tuple[Groups, GroupKey]:
    """Return the tables of `inputs`, and the key of the group that `--group` names.

    Raises as `wanted_groups`; also if there are several groups and no `--group`.
    """
    groups = wanted_groups(
        options.paths,
        [] if options.group is None else [options.group],
        context_of(options),
        inputs,
    )
    if len(groups.keys) > 1:
        raise SnapshotError(
            f"{len(groups.keys):,} groups, expected one; choose with --group:"
            f" {names_of(groups.keys)}"
        )
    return groups, groups.keys[0]


def live_group(options: argparse.Namespace) -> ObservedGroup:
    """Return the group `--group` of the live cluster `--cluster`; raises as `named_groups`."""
    if options.group is None:
        profile_of(options.cluster)
        raise SnapshotError(
            f"--cluster {options.cluster} without --group; evenkeel groups --cluster"
            f" {options.cluster} lists the groups"
        )
    (document,) = live_documents(options.cluster, [options.group], options.paths)
    require_group(configuration().command_line, document)
    return observed_from_document(document)
