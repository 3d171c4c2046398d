"""Print one table: the current assignment of a group, and the assignment of each assignor."""

import argparse
import math
import sys
from collections.abc import Mapping, Sequence

import msgspec

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA, TASK_ASSIGNORS
from evenkeel.assignors.compare.comparison import CURRENT
from evenkeel.assignors.compare.figure import FIGURES
from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.data.commands.options.columns import add_columns
from evenkeel.data.commands.options.fail_if import ADVICE, Condition
from evenkeel.data.commands.options.files import add_cluster, add_paths, inputs_of, split_paths
from evenkeel.data.commands.options.scenarios import (
    add_step,
    chosen_step,
    scenario_in,
    with_history,
)
from evenkeel.data.commands.text import json_line, printable
from evenkeel.data.compare.advice import Advice
from evenkeel.data.compare.answer import (
    ComparisonResult,
    compared_application,
    compared_group,
    compared_step,
    require_names,
)
from evenkeel.data.compare.tables import Figures
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.plugin import available
from evenkeel.data.diagnosis.chosen import ChosenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.client_words import answers_of
from evenkeel.data.scenarios.leaders import Made, client_of
from evenkeel.data.scenarios.run.application_step import TASK_FIGURES
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Settings
from evenkeel.data.text.formats import NARROW, counted

EXAMPLES = f"""\
examples:
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --group payments |
    evenkeel compare -
  evenkeel compare offsets.txt members.txt --group payments --json
  evenkeel compare --cluster production --group payments
  evenkeel compare payments.json --assignor lag range --fail-if 'max_lag_share > 1.3'
  evenkeel compare scenario.json --step 1
  evenkeel compare listing.txt --client librdkafka
  evenkeel compare offsets.txt --assignor lag --why orders:3
  evenkeel compare export.csv --columns group_id="Consumer Grp"
  evenkeel compare wordcount.json --fail-if 'records_to_restore > 1000000'

exit codes:
  0  done, even if lines are rejected
  1  the condition of --fail-if holds
  2  a wrong call, nothing readable, or a --fail-if whose result depends on unknown values

figures of --json and --fail-if:
  {", ".join([*FIGURES][:5])},
  {", ".join([*FIGURES][5:10])},
  {", ".join([*FIGURES][10:])}
  max_lag_share is the worst member's lag ÷ the mean ("max ÷ mean" in the table); lag_cv is the
  standard deviation ÷ the mean ("CV").
  advice.gain, advice.moved, advice.paused and advice.rounds describe the switch in the first
  sentence; 0 if there is no switch. A gain of 0.31 is 31 %.
  If unknown_lag_partitions is above 0, lags are lower bounds, in the table ≥ 2,245. Ratios then
  use known lags only, in the table ≈ 1.43: the true ratio may be smaller or larger.

figures of a Kafka Streams application:
  {", ".join(TASK_FIGURES[:6])},
  {", ".join(TASK_FIGURES[6:])}
  records_to_restore, seconds_to_restore: records that moved tasks must restore, and the time.
  rounds: probing rebalances until the application is balanced.
"""


_OPTION = "--assignor"


def add_arguments(parser: argparse.ArgumentParser):
    """Declare the command's options."""
    add_paths(parser)
    add_cluster(parser)
    add_columns(parser)
    parser.add_argument(
        "--group", metavar="G", help="the group to compare, if the files have several"
    )
    parser.add_argument(
        "--assignor",
        metavar="NAME",
        nargs="+",
        action="extend",
        help=(
            f"only these assignors of {', '.join([*ASSIGNORS, *TASK_ASSIGNORS])} and the plug-ins"
            " of the configuration (default: all that can serve the group)"
        ),
    )
    parser.add_argument(
        "--client",
        choices=CLIENTS,
        metavar="CLIENT",
        help=(
            "the client library that computes the assignment of a classic group:"
            f" {', '.join(CLIENTS)} (default: the leader's client; java if unknown)"
        ),
    )
    add_step(parser)
    parser.add_argument("--json", action="store_true", help="write JSON in place of a table")
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=Condition.parse,
        help=(
            "a condition FIGURE < <= > >= == != NUMBER for the assignors of --assignor, or for the"
            " current assignment if no assignor is named; exit code 1 if the condition holds for"
            " any of them, 2 if the result depends on unknown values"
        ),
    )
    parser.add_argument(
        "--why",
        metavar="TOPIC:NUMBER",
        type=_partition,
        help=(
            "also explain, step by step, why each assignor gives this partition to its member; for"
            " an application, a task such as 0_1 to its process"
        ),
    )


def _partition(text: str) -> tuple[str, int]:
    topic, _, number = text.rpartition(":") if ":" in text else text.rpartition("_")
    if not topic or not number.isascii() or not number.isdigit():
        raise argparse.ArgumentTypeError(f'found "{text}", expected TOPIC:NUMBER, such as orders:3')
    return topic, int(number)


def run(options: argparse.Namespace) -> int:
    """Write the comparison to standard output; check the condition of --fail-if."""
    split_paths(options, "assignor")
    assignors = available(configuration().plugins)
    compared = _compared(options, assignors)
    reasons = {} if options.why is None else _reasons(compared, *options.why)
    if options.json:
        sys.stdout.write(json_line(compared.document() | ({"why": reasons} if options.why else {})))
    else:
        is_task = isinstance(compared.subject, Application)
        sys.stdout.write(
            compared.table()
            + _reasons_text(reasons, _title(*options.why, is_task=is_task) if options.why else "")
        )
    return _checked(options, compared.rows, compared.advice)


def _reasons(compared: ComparisonResult, topic: str, partition: int) -> dict[str, list[str]]:
    """Return the sentences that explain the owner, for each assignor with an answer."""
    names = [
        figures_of_row.row["assignor"]
        for figures_of_row in compared.rows[1:]
        if not figures_of_row.row["error"]
    ]
    return {name: list(compared.why(name, topic, partition)) for name in names}


def _title(topic: str, number: int, *, is_task: bool) -> str:
    return (
        f"Why task {topic}_{number} goes to its process"
        if is_task
        else f"Why {partition_name(topic, number)} goes to its member"
    )


def _reasons_text(reasons: Mapping[str, Sequence[str]], title: str) -> str:
    if not reasons:
        return ""
    lines = [title]
    for name, sentences in reasons.items():
        # Terminals do not show the narrow space.
        lines += [name, *(f"  {sentence.replace(NARROW, ' ')}" for sentence in sentences)]
    return "\n" + "".join(f"{printable(line)}\n" for line in lines)


def _compared(options: argparse.Namespace, assignors: Mapping[str, Made]) -> ComparisonResult:
    settings = configuration()
    inputs = [] if options.cluster is not None else inputs_of(options.paths)
    scenario = scenario_in(inputs)
    if isinstance(scenario, ApplicationScenario):
        _refuse_client(options)
        return compared_application(
            scenario, chosen_step(scenario, options.step), options.assignor, settings
        )
    if scenario is not None:
        require_names(options.assignor, assignors, _OPTION)
        if options.client is not None:
            scenario = msgspec.structs.replace(
                scenario, settings=msgspec.structs.replace(scenario.settings, client=options.client)
            )
        scenario = with_history(scenario, settings.lake)
        return compared_step(
            scenario, chosen_step(scenario, options.step), assignors, options.assignor, settings
        )
    if options.step is not None:
        raise SnapshotError(f"--step {options.step} without a scenario: only scenarios have steps")
    chosen = ChosenGroup.of(options, inputs, Settings(client=options.client))
    if isinstance(chosen, Application):
        _refuse_client(options)
        return compared_application(ApplicationScenario("", chosen), 0, options.assignor, settings)
    require_names(options.assignor, assignors, _OPTION)
    now = chosen.readings.now
    client = client_of(now.leader, options.client)
    if client != JAVA and now.is_classic:
        print(f"evenkeel: {answers_of(client)}", file=sys.stderr)
    return compared_group(chosen.readings, assignors, options.assignor, chosen.context)


def _refuse_client(options: argparse.Namespace) -> None:
    if options.client is not None:
        raise SnapshotError(
            f"--client {options.client} with a Kafka Streams application: the client of an"
            " application is always java"
        )


def _checked(options: argparse.Namespace, rows: Sequence[Figures], advice: Advice | None) -> int:
    """Return the exit code of --fail-if: 1 if the condition holds, else 0.

    The condition is checked for the assignors of --assignor; without --assignor, for the current
    assignment. SnapshotError (exit code 2) if the result depends on unknown values.
    """
    condition = options.fail_if
    if condition is None:
        return 0
    if condition.figure in ADVICE:
        return _checked_advice(condition, advice)
    if condition.figure not in rows[0].row:
        raise SnapshotError(
            f"--fail-if: {condition.figure} is not a figure of this comparison, expected one of"
            f" {_numbers(rows[0])}"
        )
    checked = {
        row.row["assignor"]: row
        for row in rows
        if row.row["assignor"] in (options.assignor or [CURRENT])
        and not row.does_not_exist(condition.figure)
    }
    verdicts = {
        name: condition.holds(*within) if (within := row.within(condition.figure)) else None
        for name, row in checked.items()
    }
    failed = [name for name, holds in verdicts.items() if holds]
    for name in failed:
        known = _known_of(checked[name], condition.figure)
        print(
            printable(
                f"evenkeel compare: {condition} holds for {name}: {condition.figure} is {known}"
            ),
            file=sys.stderr,
        )
    if failed:
        return 1
    unjudged: dict[str, list[str]] = {}
    for name in (name for name, holds in verdicts.items() if holds is None):
        unjudged.setdefault(_known_of(checked[name], condition.figure), []).append(name)
    if unjudged:
        known = "; ".join(
            f"{condition.figure} of {', '.join(names)} is {text}"
            for text, names in unjudged.items()
        )
        raise SnapshotError(f"{known}: {condition} cannot be judged")
    return 0


_OPEN = (Code.UNKNOWN, Code.UNCOMMITTED)
"""With these codes of the first finding, lags are unknown, and so is the gain of a switch."""


def _checked_advice(condition: Condition, advice: Advice | None) -> int:
    if advice is None:
        raise SnapshotError(f"--fail-if: {condition.figure} is not a figure of an application")
    key = condition.figure.removeprefix("advice.")
    # Without a switch nothing moves.
    value = (advice.price or {}).get(key, advice.gain)
    text = advice.text or "no step causes a rebalance, or the assignor in use is unknown"
    if value is None or advice.reason in _OPEN:
        raise SnapshotError(f"{condition.figure} is unknown: {condition} cannot be judged; {text}")
    holds = condition.holds(value, value)
    if holds:
        print(printable(f"evenkeel compare: {condition} holds: {text}"), file=sys.stderr)
    return int(bool(holds))


def _numbers(row: Figures) -> str:
    return ", ".join(name for name in dict.fromkeys((*FIGURES, *TASK_FIGURES)) if name in row.row)


def _known_of(row: Figures, figure: str) -> str:
    within = row.within(figure)
    if within is None:
        return "unknown"
    if within.low == within.high:
        return f"{within.low:,.2f}" if isinstance(within.low, float) else f"{within.low:,}"
    is_open = within.high == math.inf
    low, high = (
        f"{end:,.2f}" if not is_open or isinstance(end, float) else f"{end:,}" for end in within
    )
    because = (
        f" (the lag of {counted(row.row['unknown_lag_partitions'], 'partition')} is unknown)"
        if "lag" in figure
        else ""
    )
    return (f"at least {low}" if is_open else f"between {low} and {high}") + because
