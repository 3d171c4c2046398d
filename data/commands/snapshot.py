"""Turn any supported files into group documents, one a line, one for each group."""

import argparse
import sys

import msgspec

from data.columns import document_of
from data.commands.groups import add_paths, wanted_groups, split_paths

EXAMPLES = """\
examples:
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --all-groups | evenkeel snapshot -
  evenkeel snapshot offsets.txt members.txt topics.txt > payments.json
  evenkeel snapshot listings/ --group payments --group refunds
"""


def add_arguments(parser: argparse.ArgumentParser):
    """Declare the command's options."""
    add_paths(parser)
    parser.add_argument("--group", metavar="G", nargs="+", action="extend", default=[], help="only these groups; one name also names the group of listings that name none")


def run(options: argparse.Namespace) -> int:
    """Write the documents to standard output."""
    split_paths(options, "group")
    groups = wanted_groups(options.paths, options.group)
    for key in groups.keys:
        sys.stdout.write(msgspec.json.encode(document_of(groups.observed(key))).decode() + "\n")
    return 0
