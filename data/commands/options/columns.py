"""`--columns`: names of the columns of a text table."""

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
# A name may contain a comma, so a comma ends a name only before a known column.
_NEXT = re.compile(rf",(?=(?:{'|'.join(_COLUMNS)})=)")

_STYLES = " ".join(f'"{style}"' for style in STYLES)

Columns = tuple[NamedColumns, ...]


class _Add(argparse.Action):
    """Add the columns of this option to the columns of earlier `--columns` and `--topic`."""

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
            f"names of columns in the header of a CSV or TSV file, for {', '.join(_COLUMNS)};"
            ' Evenkeel guesses missing names: --columns group_id="Consumer Grp",lag=Behind'
        ),
    )
    parser.add_argument(
        "--topic",
        metavar="NAME",
        dest="columns",
        type=lambda name: (NamedColumns((), topic=name),),
        action=_Add,
        default=(),
        help="the topic of a table without a topic column, such as a table of CMAK",
    )
    parser.add_argument(
        "--numbers",
        metavar="STYLE",
        choices=STYLES,
        help=f"style of ambiguous numbers in CSV and TSV, one of {_STYLES}: --numbers 1.234,00",
    )
    parser.add_argument(
        "--zone",
        metavar="ZONE",
        help="time zone of timestamps without a zone, such as Europe/Berlin (default: UTC, with a"
        " note)",
    )


def context_of(options: argparse.Namespace) -> Context:
    """Return the options for text tables; SnapshotError if the time zone is unknown."""
    return Context(
        named_columns=options.columns,
        numbers=options.numbers,
        zone=None if options.zone is None else zone_of(options.zone),
    )


def parse(text: str) -> Columns:
    """Read an option such as `group_id=Consumer Grp,lag=Behind`.

    `group_id` and `lag` are columns of the schema OFFSETS, the other words are names in the file.

    Raises
    ------
    argparse.ArgumentTypeError
        If a column is unknown, appears twice, or has no name.
    """
    pairs = [
        (column, _unquoted(name.strip()))
        for column, _, name in (part.partition("=") for part in _NEXT.split(text))
    ]
    if len(dict(pairs)) < len(pairs):
        raise argparse.ArgumentTypeError(
            f"{text!r} names a column twice, expected each column once"
        )
    try:
        return named_columns(dict(pairs))
    except SnapshotError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def named_columns(names: Mapping[str, str]) -> Columns:
    """Return the columns with their names in a file's header.

    SnapshotError if a column is unknown or has no name.
    """
    for column, name in names.items():
        if column not in _COLUMNS:
            raise SnapshotError(
                f"{column!r} is not a column, expected one of {', '.join(_COLUMNS)}, as in"
                ' group_id="Consumer Grp",lag=Behind'
            )
        if not name or not isinstance(name, str):
            raise SnapshotError(
                f"{column} has no name, expected the name of a column in the header"
            )
    return (NamedColumns(tuple((_COLUMNS[column], name) for column, name in names.items())),)


def not_used_line(file: str, columns: str, header: str) -> str:
    """Return a message about a file's unused columns.

    The message suggests a `--columns` option, guessed from the header.
    """
    layout = header_in([header.encode()])
    guess = layout.option_for(columns) if layout else ""
    how = (
        f"a guess, not used: {guess}"
        if guess
        else "to use a column: --columns COLUMN=NAME, see --help"
    )
    return printable(f"{file}: columns not used: {columns}; {how}")


def _unquoted(name: str) -> str:
    is_quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1].strip() if is_quoted else name
