"""Name a moment of a cluster or group, such as a deploy. Timeline and Overview draw a line there.

Nothing in Kafka is changed: a mark is stored in the lake.
"""

import argparse

from evenkeel.data import audit
from evenkeel.data.commands.options.lake import add_lake, iso_time, lake_of
from evenkeel.data.commands.text import printable

EXAMPLES = """\
examples:
  evenkeel mark "deploy 2.41.0" --cluster production --group payments
  evenkeel mark "brokers restarted" --cluster production --at 2026-11-27T13:29:00Z
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("text", metavar="TEXT", help="one line of at most 120 characters")
    parser.add_argument("--cluster", metavar="C", required=True, help="the cluster")
    parser.add_argument("--group", metavar="G", help="the group (default: all groups)")
    parser.add_argument("--at", metavar="ISO", type=iso_time, help="the moment (default: now)")
    add_lake(parser)


def run(options: argparse.Namespace) -> int:
    """Store the mark and print its id."""
    from evenkeel.data.marks.answer import add, new_mark, require_known

    lake = lake_of(options)
    mark = new_mark(options.cluster, options.group, options.at, options.text)
    require_known(lake, mark.cluster)
    add(lake, mark)
    audit.write("mark", is_command=True, cluster=mark.cluster, group=mark.group, what=mark.mark_id)
    place = f"{mark.cluster}/{mark.group}" if mark.group else mark.cluster
    print(printable(f"{mark.mark_id}  {mark.at:%Y-%m-%dT%H:%M:%SZ}  {place}  {mark.text}"))
    return 0
