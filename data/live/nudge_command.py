"""Make the broker compute a new assignment of a group: a member joins the group, subscribes to a
topic that does not exist, and leaves. Needs `[live] nudge = true`.

All other commands only read. This command changes the group: the group gets two new epochs, and
partitions move if the assignor's answer has changed. The user needs READ on the group. The command
reads no records and commits nothing.
"""

import argparse
import sys

from evenkeel.data.commands.text import printable
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.text.formats import counted

EXAMPLES = """\
examples:
  evenkeel nudge --cluster production --group payments
  evenkeel nudge --cluster production --group payments --yes

Use it if the brokers run evenkeel-weighted and its file has new weights or plans
(docs/deploy-broker.md).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--cluster",
        metavar="NAME",
        required=True,
        help="a cluster of the configuration or, if [live] free_form is true, an address",
    )
    parser.add_argument(
        "--group", metavar="G", required=True, help="a group on the consumer protocol (KIP-848)"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


@required("live")
def run(options: argparse.Namespace) -> int:
    """Ask for confirmation, join and leave the group; print the epochs."""
    if not configuration().nudge:
        raise SnapshotError(
            "[live] nudge is false, expected true: a nudge joins the group, and no other"
            " part of Evenkeel does"
        )
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.nudge import members_of, nudge

    with connected(options.cluster) as connection:
        count = len(members_of(connection, options.group))
        if not options.yes and not _agreed(options.group, count):
            raise SnapshotError("not nudged: the answer was not yes")
        before, after = nudge(connection, options.group)
    print(printable(f"group {options.group}: nudged, epoch {before} is now {after}"))
    return 0


def _agreed(group_id: str, count: int) -> bool:
    print(
        printable(
            f"{counted(count, 'member')} of group {group_id} will see two new epochs, and"
            " partitions may move. Nudge it? [yes/no] "
        ),
        end="",
    )
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
