"""List the groups of a live cluster, largest lag first: type, state, assignor, members, lag. The
command sends only describe, list and offset requests.
"""

import argparse
import sys
from datetime import timedelta
from typing import Any

from evenkeel.data import clock
from evenkeel.data.commands.options.lake import add_lake, lake_of, with_past_of
from evenkeel.data.commands.text import aligned_lines, cells_of, json_line, printable
from evenkeel.data.text.columns import Column
from evenkeel.data.text.formats import at_least, exact

EXAMPLES = """\
examples:
  evenkeel groups --cluster production
  evenkeel groups --cluster production --topic orders          # from the last stored slot
  evenkeel groups --cluster production --json | jq -c 'select(.lag > 100000)'

The cluster is configured in evenkeel.toml:
  [clusters.production]
  "bootstrap.servers" = "broker-1:9092,broker-2:9092"
"""

_RECENT = timedelta(minutes=10)
"""How old the last scrape of a metrics store may be."""

_COLUMNS = (
    Column("group_id", "group"),
    Column("group_type", "type"),
    Column("state", "state"),
    Column("assignor", "assignor"),
    Column(
        "leader",
        "leader",
        lambda row: f"{row['leader']}, likely" if row["leader_certain"] is False else row["leader"],
    ),
    Column("member_count", "members"),
    Column("topic_count", "topics"),
    Column("partition_count", "partitions"),
    Column("lag", "lag"),
    Column("unknown_lag_count", "lag unknown"),
)
_OF_TOPIC = (
    Column("group_id", "group"),
    Column("verdict", "verdict"),
    Column("members", "members"),
    Column("partitions", "partitions"),
    Column(
        "lag",
        "lag",
        lambda row: at_least(exact(row["lag"]), bool(row["unknown_partitions"])),
    ),
)


def add_arguments(parser: argparse.ArgumentParser):
    """Declare the command's options."""
    parser.add_argument(
        "--cluster",
        metavar="NAME",
        required=True,
        help="a cluster of the configuration or, if [live] free_form is true, an address",
    )
    parser.add_argument(
        "--topic",
        metavar="T",
        help=(
            "only groups that read this topic, from the last slot in the lake; without slots, from"
            " the cluster's metrics store"
        ),
    )
    add_lake(parser)
    parser.add_argument(
        "--json", action="store_true", help="write JSON, one group a line, in place of a table"
    )


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    if options.topic is not None:
        return _of_topic(options)
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.reading.group_list import group_list, left_out, none_visible

    with connected(options.cluster) as connection:
        rows = group_list(connection).to_pylist()
        note = left_out(connection) if rows else none_visible(options.cluster)
    if note:
        print(printable(f"evenkeel groups: {note}"), file=sys.stderr)
    if options.json:
        sys.stdout.writelines(map(json_line, rows))
    else:
        sys.stdout.writelines(line + "\n" for line in _table(rows))
    return 0


def _of_topic(options: argparse.Namespace) -> int:
    from evenkeel.data.lake.history.topic_readers import readers_of_topic

    since = clock.now() - _RECENT
    lake, past = with_past_of(lake_of(options), options.cluster, None, since, None, timedelta())
    readers = readers_of_topic(lake, options.cluster, options.topic)
    if past is not None:
        print(f"evenkeel groups: {past.words}; members not recorded", file=sys.stderr)
    if options.json:
        sys.stdout.writelines(map(json_line, readers.rows))
    elif readers.rows:
        lines = aligned_lines(cells_of(_OF_TOPIC, readers.rows), 2)
        sys.stdout.writelines(f"{line}\n" for line in lines)
    when = f"{readers.taken_at:%Y-%m-%d %H:%M:%S} UTC"
    is_read = any(row["members"] != 0 for row in readers.rows)
    if not is_read:
        line = f"evenkeel groups: nobody reads {options.topic} in the slot of {when}"
        print(printable(line), file=sys.stderr)
    return 0


def _table(rows: list[dict[str, Any]]) -> list[str]:
    lines = aligned_lines(cells_of(_COLUMNS, rows), 5)
    return [
        lines[0],
        *(
            f"{line}  {printable(row['problem'])}" if row["problem"] else line
            for line, row in zip(lines[1:], rows, strict=True)
        ),
    ]
