"""`--out`: a lake other than the configured one."""

import argparse
from typing import TYPE_CHECKING

from evenkeel.data.configuration import configuration

if TYPE_CHECKING:
    from evenkeel.data.lake.place import Place


def add_lake(parser: argparse.ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--out", metavar="LAKE", help="the lake: a folder, or a URL such as s3://bucket/lake (default: [lake] path of evenkeel.toml)"
    )


def lake_of(options: argparse.Namespace) -> "Place":
    """Return the lake that is named, with the keys of `[lake]` for its service, or the configured one.

    Raises
    ------
    SnapshotError
        For a URL of another kind, by name.
    """
    from evenkeel.data.lake.place import place_of

    chosen = configuration()
    return place_of(options.out, chosen.storage) if options.out else chosen.lake
