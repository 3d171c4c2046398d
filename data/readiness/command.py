"""Report which groups can move to the consumer protocol (KIP-848), whether the broker accepts them,
and how many partitions move at each restart.

This command changes nothing in Kafka: you copy the settings to the clients yourself.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.readiness.bounces import DRAWS
from evenkeel.assignors.readiness.facts import SETTINGS, Verdict
from evenkeel.data.commands.options.columns import add_columns, context_of
from evenkeel.data.commands.options.fail_if import Condition
from evenkeel.data.commands.options.files import (
    add_cluster,
    add_paths,
    inputs_of,
    split_paths,
    wanted_groups,
)
from evenkeel.data.commands.text import cells_of, json_line, lines_with_words, printable
from evenkeel.data.errors import SnapshotError
from evenkeel.data.readiness.answer import (
    Ready,
    answered,
    answered_application,
    cooperative,
    is_eager,
    may_be_eager,
)
from evenkeel.data.readiness.columns import PEOPLE
from evenkeel.data.readiness.environment import (
    Environment,
    broker_of,
    require_remote,
    require_versions,
)
from evenkeel.data.readiness.groups import (
    FIGURES,
    answered_live,
    document_of,
    in_order,
    is_unpredicted,
    known_moves,
    most_moves,
    summary,
    ways_back,
)
from evenkeel.data.readiness.restart_words import moves
from evenkeel.data.readiness.words import VERDICTS, sentences
from evenkeel.data.text.formats import counted

EXAMPLES = f"""\
examples:
  evenkeel readiness --cluster production
  evenkeel readiness --cluster production --client java=4.1 --fail-if 'blocked > 0'
  evenkeel readiness --cluster production --group payments --remote-assignor range --json
  evenkeel readiness payments.json --broker-config group.consumer.migration.policy=bidirectional

exit codes:
  0  done
  1  the condition of --fail-if holds
  2  a wrong call, nothing readable, or a --fail-if whose result depends on unknown groups;
     with --plan cooperative also if every group's assignor is unknown

figures of --fail-if:
  {", ".join(FIGURES)}

settings of --broker-config:
  {", ".join(SETTINGS[:4])},
  {", ".join(SETTINGS[4:])}
"""

_MANY = 200
"""Groups whose restarts are always predicted. A prediction takes about 80 ms."""

_COULD_BE = (Verdict.READY.value, Verdict.NOTE.value, Verdict.BLOCKED.value)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_paths(parser)
    add_cluster(parser)
    add_columns(parser)
    parser.add_argument(
        "--group", metavar="G", nargs="+", action="extend", default=[], help="only these groups"
    )
    parser.add_argument(
        "--plan",
        choices=(CONSUMER, "cooperative"),
        default=CONSUMER,
        help=(
            "move to the consumer protocol (default), or change classic groups from an eager"
            " assignor to cooperative-sticky"
        ),
    )
    parser.add_argument(
        "--steps",
        action="store_true",
        help=f"print every restart and the way back, even for more than {_MANY} groups",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="write JSON in place of a table: one group a line, then a summary",
    )
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=partial(Condition.parse, figures=FIGURES, example="blocked > 0"),
        help=(
            "exit with 1 if FIGURE < <= > >= == != NUMBER holds; exit with 2 if groups with an"
            " unknown verdict could change the result"
        ),
    )
    parser.add_argument(
        "--remote-assignor",
        metavar="NAME",
        help=(
            "the broker's assignor that members request with group.remote.assignor (default: the"
            " first of group.consumer.assignors)"
        ),
    )
    parser.add_argument(
        "--client",
        metavar="FAMILY=VERSION",
        action="append",
        default=[],
        help=f"oldest version of a client that your groups use, such as java=4.0; clients:"
        f" {', '.join(CLIENTS)}",
    )
    parser.add_argument(
        "--broker-config",
        metavar="KEY=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="settings of the brokers, if they cannot be read or the input is a document",
    )


def run(options: argparse.Namespace) -> int:
    """Print the groups and check the condition."""
    for option in ("group", "broker_config"):
        split_paths(options, option)
    versions, given = (
        _pairs(options.client, "--client"),
        _pairs(options.broker_config, "--broker-config"),
    )
    require_versions(versions)
    all_ready = (
        _live(options, versions, given)
        if options.cluster is not None
        else _of_files(options, versions, given)
    )
    if options.plan == "cooperative":
        eager = [ready for ready in all_ready if is_eager(ready) or may_be_eager(ready)]
        draws = _draws(options, len(eager))
        all_ready = [cooperative(ready, draws) for ready in eager]
    all_ready = in_order(all_ready)
    if options.json:
        sys.stdout.writelines(json_line(document_of(ready)) for ready in all_ready)
        sys.stdout.write(json_line({"summary": summary(all_ready)}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _table(all_ready))
        shown = all_ready if options.steps or len(all_ready) == 1 else []
        sys.stdout.writelines(
            f"{line}\n" for ready in shown if ready.way for line in _restarts(ready)
        )
    code = _checked(options, all_ready)
    is_all_unknown = bool(all_ready) and all(may_be_eager(ready) for ready in all_ready)
    if options.plan == "cooperative" and not code and is_all_unknown:
        raise SnapshotError(
            f"the assignor of {'the group' if len(all_ready) == 1 else 'every group'} is not known,"
            " so there is no plan"
        )
    return code


def _pairs(words: Sequence[str], option: str) -> dict[str, str]:
    pairs = dict(word.partition("=")[::2] for word in words)
    wrong = next((key for key, value in pairs.items() if not key or not value), None)
    if wrong is not None:
        raise SnapshotError(f"{option} {wrong}: found no value, expected KEY=VALUE")
    return pairs


def _live(
    options: argparse.Namespace, versions: dict[str, str], given: dict[str, str]
) -> list[Ready]:
    if options.paths:
        raise SnapshotError(
            f"--cluster {options.cluster} and the file {options.paths[0]}, expected one of them"
        )
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.reading.readiness import live_readiness

    with connected(options.cluster) as connection:
        read = live_readiness(connection, options.group)
    for note in read.problems:
        print(printable(f"evenkeel readiness: {note}"), file=sys.stderr)
    return answered_live(
        read,
        given,
        versions,
        options.remote_assignor,
        _draws_of_consumer(options, len(read.groups)),
    )


def _of_files(
    options: argparse.Namespace, versions: dict[str, str], given: dict[str, str]
) -> list[Ready]:
    broker = broker_of(given)
    require_remote(options.remote_assignor, broker)
    environment, inputs = (
        Environment(broker, versions, options.remote_assignor),
        inputs_of(options.paths),
    )
    groups = wanted_groups(options.paths, options.group, context_of(options), inputs)
    results, draws = [], _draws_of_consumer(options, len(groups.keys))
    for key in groups.keys:
        application = groups.application(key)
        if application:
            results.append(answered_application(application, environment, key.source_file))
        else:
            results.append(
                answered(groups.observed(key), environment, draws=draws, source=key.source_file)
            )
    return results


def _draws_of_consumer(options: argparse.Namespace, count: int) -> int:
    return 0 if options.plan == "cooperative" else _draws(options, count)


def _draws(options: argparse.Namespace, count: int) -> int:
    """Return the number of predictions of each restart.

    For very many groups, the user must request predictions with --steps, or with --fail-if on
    moves.
    """
    if count <= _MANY or options.steps:
        return DRAWS
    needs_moves = options.fail_if is not None and options.fail_if.figure == "moves"
    if not needs_moves:
        note = f"{count:,} groups: restarts are predicted only with --steps or --group"
        print(f"evenkeel readiness: {note}", file=sys.stderr)
    return int(needs_moves)


# The table.


def _table(all_ready: Sequence[Ready]) -> list[str]:
    head, *rows = cells_of(sorted(PEOPLE, key=lambda column: column.key == "why"), all_ready)
    cells = [head]
    for ready, row in zip(all_ready, rows, strict=True):
        others = [
            printable(sentences(reason, ready.names)[0]) for reason in ready.judged.reasons[1:]
        ]
        cells += [row, *([*[""] * len(row[1:]), other] for other in others)]
    totals = summary(all_ready)
    totals_text = [
        f"{totals[verdict.value]:,} {VERDICTS[verdict].lower()}"
        for verdict in Verdict
        if totals[verdict.value]
    ]
    return [
        *lines_with_words(cells, 2),
        "",
        f"{counted(len(all_ready), 'group')}: {', '.join(totals_text)}.",
    ]


def _restarts(ready: Ready) -> list[str]:
    """Return one line for each restart: moves at the stop, moves at the start, and the way back."""
    assert ready.way
    cells = [["", "restart", "moves", "then"]]
    for number, (bounce, back) in enumerate(
        zip(ready.way.bounces, ways_back(ready, printable), strict=True), 1
    ):
        moved = "nothing" if bounce.is_static else moves(bounce)
        cells.append([str(number), printable(ready.label(bounce.member)), moved, back])
    head = f"Restarts of {printable(ready.name)}, {counted(ready.way.moved_total, 'move')} in all:"
    return ["", head, *lines_with_words(cells, 2)]


# The condition.


def _checked(options: argparse.Namespace, all_ready: Sequence[Ready]) -> int:
    """Return 1 if the condition holds, else 0.

    A group with an unknown verdict may be ready, note or blocked. If a group's restarts are not
    predicted, 0 to all of its partitions may move.

    Raises
    ------
    SnapshotError
        If the result depends on these groups.
    """
    condition = options.fail_if
    if condition is None:
        return 0
    totals, unknown = (
        summary(all_ready),
        [ready for ready in all_ready if ready.judged.verdict == Verdict.UNKNOWN],
    )
    if condition.figure == "moves":
        unknown = [ready for ready in all_ready if is_unpredicted(ready)]
        low = known_moves(all_ready)
        high = low + sum(map(most_moves, unknown))
    else:
        low = totals[condition.figure]
        high = low + len(unknown) * (condition.figure in _COULD_BE)
    holds = condition.holds(low, high)
    if holds is None:
        raise SnapshotError(
            f"{condition} cannot be judged: {condition.figure} is {low:,}, and"
            f" {counted(len(unknown), 'group')} unknown"
        )
    if holds:
        print(
            printable(f"evenkeel readiness: {condition} holds: {condition.figure} is {low:,}"),
            file=sys.stderr,
        )
    return int(holds)
