"""How long a live cluster of many groups takes to list and to read.

python -m tests.benchmarks.live --groups 5000 --topics 100 --partitions 100
"""

import argparse
import resource
import time
from collections.abc import Callable

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups, group_list
from evenkeel.data.pipeline.snapshots import GROUPS_A_TASK
from tests.benchmarks.many_groups import add_arguments, cluster


def main() -> None:
    """Make the cluster, then print a line for each thing that is done with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    with cluster(parser.parse_args()) as one:
        _print_all(one.bootstrap)


def _print_all(bootstrap: str) -> None:
    began = time.perf_counter()
    connection = Connection(Profile("scale", {"bootstrap.servers": bootstrap}))
    sent = _counted(connection)
    found = group_list(connection)
    print(
        f"list, cold (with the connection): {time.perf_counter() - began:5.2f} s,"
        f" {found.num_rows:,} groups",
        flush=True,
    )
    for _ in range(3):
        _timed("list, warm", sent, lambda: group_list(connection).num_rows)
    _timed("all groups as documents", sent, lambda: _read(connection))
    connection.close()
    print(
        f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB",
        flush=True,
    )


def _timed(what: str, sent: list[int], act: Callable[[], int]) -> None:
    began, processor, before = time.perf_counter(), time.process_time(), len(sent)
    count = act()
    wall, requests = time.perf_counter() - began, len(sent) - before
    print(
        f"{what}: {wall:5.2f} s, processor {time.process_time() - processor:5.2f} s,"
        f" {count / wall:,.0f} groups/s, {requests} requests, {requests / wall:,.0f} a second",
        flush=True,
    )


def _read(connection: Connection) -> int:
    groups = chosen_groups(connection, [])
    return sum(
        len(live_groups(connection, groups[start : start + GROUPS_A_TASK]))
        for start in range(0, len(groups), GROUPS_A_TASK)
    )


def _counted(connection: Connection) -> list[int]:
    """Return a list that grows by one with each request."""
    manager, sent = connection.raw._manager, []
    send = manager.send

    def counted(*arguments, **more):
        sent.append(1)
        return send(*arguments, **more)

    manager.send = counted
    return sent


if __name__ == "__main__":
    main()
