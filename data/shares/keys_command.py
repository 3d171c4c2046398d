"""Make, list and revoke keys for programs, such as Prometheus, that read a closed server.

A key may only see groups: the groups that match its globs. The key is printed once; only its hash
is stored.
"""

import argparse
import sys
from datetime import timedelta

from evenkeel.data import audit
from evenkeel.data.commands.text import printable
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.extras import required

EXAMPLES = """\
examples:
  evenkeel keys create --name prometheus --see '*'
  evenkeel keys create --name ci --see 'payments*' --see refunds --cluster production --expires 90d
  evenkeel keys list
  evenkeel keys revoke ci
"""

_DAYS = timedelta(days=365)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = actions.add_parser("create", help="make a key and print it")
    create.add_argument("--name", required=True, help="name of the key in the list and the audit")
    create.add_argument(
        "--see",
        metavar="GLOB",
        action="append",
        required=True,
        help="groups that the key sees; may be repeated",
    )
    create.add_argument(
        "--cluster",
        metavar="GLOB",
        action="append",
        help="clusters that the key sees (default: all); may be repeated",
    )
    create.add_argument(
        "--expires",
        metavar="TIME",
        type=_duration,
        default=_DAYS,
        help='such as "90d", or "never" (default: 365d)',
    )
    actions.add_parser("list", help="list all keys, newest first")
    revoke = actions.add_parser(
        "revoke", help="revoke a key at once, for every server of the database"
    )
    revoke.add_argument("key", help="name or id of the key")


@required("dashboard")
def run(options: argparse.Namespace) -> int:
    """Run the chosen action."""
    {"create": _create, "list": _list, "revoke": _revoke}[options.action](options)
    return 0


def _create(options: argparse.Namespace) -> None:
    from evenkeel.data.shares.store import keys

    made = keys().create(options.name, options.see, options.cluster or ["*"], options.expires)
    audit.write("key made", is_command=True, what=f"key:{made.key_id}", name=options.name)
    print(made.key)
    print(
        "The key is shown once. A program sends it as: Authorization: Bearer KEY", file=sys.stderr
    )
    if not configuration().is_closed:
        print(
            "This server is open: without [login] or [[rights]] in evenkeel.toml, nobody needs a"
            " key.",
            file=sys.stderr,
        )


def _list(options: argparse.Namespace) -> None:
    from evenkeel.data.clock import now
    from evenkeel.data.shares.store import keys

    for key in keys().listed():
        until = f"{key.expires_at:%Y-%m-%d}" if key.expires_at else "never"
        sees = f"{', '.join(key.groups)} of {', '.join(key.clusters)}"
        print(
            printable(f"{key.key_id}  {key.state(now()):<7}  {until:<10}  {key.name}  sees {sees}")
        )


def _revoke(options: argparse.Namespace) -> None:
    from evenkeel.data.shares.store import keys

    for key in keys().revoke(options.key):
        audit.write("key revoked", is_command=True, what=f"key:{key.key_id}", name=key.name)
        print(printable(f"{key.key_id}  {key.name}: revoked"))


def _duration(text: str) -> timedelta | None:
    if text == "never":
        return None
    try:
        return Duration.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
