"""`--columns`: the meaning of the columns of a text table."""

import argparse
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evenkeel.data.commands.text import printable
from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.coordinator_log import zone_of
from evenkeel.data.sources.separated.header import header_in
from evenkeel.data.sources.separated.values import STYLES
from evenkeel.data.sources.source import Context, NamedColumns
from evenkeel.data.sources.synonyms import SYNONYMS

if TYPE_CHECKING:
    pass


_COLUMNS = {"lag": "listed_lag"} | {column: column for column in SYNONYMS if column != "listed_lag"}
# A name may hold a comma: it ends only before a known column.
_NEXT = re.compile(rf",(?=(?:{'|'.join(_COLUMNS)})=)")

_STYLES = " ".join(f'"{style}"' for style in STYLES)

Columns = tuple[NamedColumns, ...]


class _Add(argparse.Action):
    """Add an option's columns to the columns of earlier options."""

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (*getattr(namespace, self.dest), *values))


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Declare the options for text tables."""
    parser.add_argument(
        "--columns",
        metavar="COLUMN=NAME,…",
        type=parse,
        action=_Add,
        default=(),
        help=(
            f"header names of CSV and TSV columns, for any of {', '.join(_COLUMNS)}; Evenkeel"
            ' guesses the others: --columns group_id="Consumer Grp",lag=Behind'
        ),
    )
    parser.add_argument(
        "--topic",
        metavar="NAME",
        dest="columns",
        type=lambda name: (NamedColumns((), topic=name),),
        action=_Add,
        default=(),
        help="the topic of tables without a topic column, such as CMAK's",
    )
    parser.add_argument(
        "--numbers",
        metavar="STYLE",
        choices=STYLES,
        help=(f"style of ambiguous numbers in CSV and TSV, one of {_STYLES}: --numbers 1.234,00"),
    )
    parser.add_argument(
        "--zone",
        metavar="ZONE",
        help="zone of times without a zone, such as Europe/Berlin (default: UTC, with a note)",
    )


def context_of(options: argparse.Namespace) -> Context:
    """Return the options for reading text tables; SnapshotError for an unknown zone."""
    return Context(
        named_columns=options.columns,
        numbers=options.numbers,
        zone=None if options.zone is None else zone_of(options.zone),
    )


def parse(text: str) -> Columns:
    """Read `group_id=Consumer Grp,lag=Behind`; the columns are those of OFFSETS.

    Raises
    ------
    argparse.ArgumentTypeError
        For a column that is unknown, named twice, or without a name.
    """
    pairs = [
        (column, _unquoted(name.strip()))
        for column, _, name in (part.partition("=") for part in _NEXT.split(text))
    ]
    if len(dict(pairs)) < len(pairs):
        raise argparse.ArgumentTypeError(f"{text!r} names a column twice, expected each once")
    try:
        return named_columns(dict(pairs))
    except SnapshotError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def named_columns(names: Mapping[str, str]) -> Columns:
    """Return columns and their names in the header; SnapshotError for an unknown or unnamed
    column.
    """
    for column, name in names.items():
        if column not in _COLUMNS:
            raise SnapshotError(
                f"{column!r} is no column, expected one of {', '.join(_COLUMNS)}, as in"
                ' group_id="Consumer Grp",lag=Behind'
            )
        if not name or not isinstance(name, str):
            raise SnapshotError(
                f"{column} has no name, expected the name of a column in the header"
            )
    return (NamedColumns(tuple((_COLUMNS[column], name) for column, name in names.items())),)


def not_used_line(file: str, columns: str, header: str) -> str:
    """Return a line: a file's unused columns, and how to name them; a guess from the header is
    printed but not used.
    """
    layout = header_in([header.encode()])
    guess = layout.option_for(columns) if layout else ""
    how = (
        f"a guess, not used: {guess}" if guess else "to use one: --columns COLUMN=NAME, see --help"
    )
    return printable(f"{file}: columns not used: {columns}; {how}")


def _unquoted(name: str) -> str:
    """Return a name without the quotes left by a shell."""
    is_quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1].strip() if is_quoted else name
