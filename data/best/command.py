"""Find the best assignment of a group under an objective and limits, with a proof.

The search lowers the highest value of any member. The objective chooses the value: lag, incoming
rate, or the seconds until the member has no lag. A move is a partition whose owner changes. The
answer has a lower bound: no assignment within the limits is better than the bound. The answer's
certificate proves the bound; --check verifies the certificate.
"""

import argparse
import gc
import sys
from pathlib import Path

import msgspec

from evenkeel.assignors.best.certificate_check import check
from evenkeel.assignors.best.request import Infeasible, Rates, RequestError
from evenkeel.data.best.answer import (
    Answer,
    Failure,
    SearchResult,
    answer,
    found_for,
    why_best,
    written,
)
from evenkeel.data.best.options import TIME_LIMIT, add_limits_of_search, add_output, add_request
from evenkeel.data.best.request import GivenRates, PlanRequest, history_rates
from evenkeel.data.best.tables import best_text
from evenkeel.data.commands.options.columns import add_columns
from evenkeel.data.commands.options.files import add_cluster, add_paths, inputs_of, split_paths
from evenkeel.data.commands.options.scenarios import (
    add_step,
    chosen_step,
    group_of_step,
    last_series,
    scenario_in,
    with_history,
)
from evenkeel.data.commands.text import json_line, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.diagnosis.chosen import ChosenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import document_of
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.leaders import tp_of
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario
from evenkeel.data.weights import Plan, is_stale, plan_of, with_plan, write

EXAMPLES = """\
examples:
  evenkeel best payments.json --moves 5
  evenkeel best offsets.txt members.txt --group payments --frontier --right-size
  evenkeel best --cluster production --group payments --objective drain --within 600 --right-size
  evenkeel best payments.json --untouched pay-a-0f3c --pin orders:7 --json > answer.json
  evenkeel best payments.json --moves 5 --why orders:7
  evenkeel best payments.json --check answer.json
  evenkeel best --cluster production --group payments --plan-out /etc/kafka/evenkeel-weights.json
  evenkeel best --jsonl < requests.jsonl > answers.jsonl

a request of --jsonl; only the group is required:
  {"group": {group document}, "objective": "lag", "moves": 5,
   "partitions_per_member": null, "tolerance": 0.001, "time_limit_s": 2, "untouched": [],
   "pinned": {}, "racks": "ignore", "frontier": null, "right_size": null, "within": null,
   "beside": null, "rates": {"in": {"orders": [12.5, null]}, "capacity": 900.0}}

exit codes:
  0  done
  1  no assignment keeps the limits, every request of --jsonl failed, or the certificate of
     --check does not hold
  2  a wrong call, or nothing readable
  3  the answer is printed, but the reason for --why is unknown
"""

FAILED, UNTOLD = 1, 3
"""Exit code."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_paths(parser)
    add_cluster(parser)
    add_columns(parser)
    add_request(parser)
    add_limits_of_search(parser)
    add_step(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Write the answer to standard output; return the exit code."""
    for option, given in (("--plan-out", options.plan_out), ("--why", options.why)):
        if given is not None and (options.jsonl or options.check is not None):
            raise SnapshotError(
                f"{option} with --jsonl or --check: {option} needs exactly one search"
            )
    asked_why = None if options.why is None else _partition("--why", options.why)
    if options.jsonl:
        return _run_lines(options)
    for option in ("pin", "untouched"):
        split_paths(options, option)
    chosen = _group(options)
    observed = chosen.readings.now if isinstance(chosen, ChosenGroup) else chosen
    if options.check is not None:
        return _check(options, observed)
    if asked_why:
        tp_of(observed, *asked_why)
    try:
        plan = found_for(_asked(options), observed, _rates(options, observed))
    except Infeasible as error:
        if options.json:
            sys.stdout.write(json_line(Answer(error=Failure("Infeasible", str(error)))))
        print(printable(f"evenkeel best: {error}"), file=sys.stderr)
        return FAILED
    except RequestError as error:
        raise SnapshotError(str(error)) from None
    untold = None if asked_why is None else _tell_why(plan, observed, *asked_why)
    if options.json:
        sys.stdout.write(json_line(written(plan)))
    else:
        sys.stdout.write(best_text(plan, _cause(chosen, plan)))
    sys.stdout.flush()
    if untold:
        print(printable(f"evenkeel best: {untold}"), file=sys.stderr)
    if options.plan_out is not None:
        _write_plan(options.plan_out, plan_of(observed, plan.best.assignment))
    return UNTOLD if untold else 0


def _cause(chosen: ChosenGroup | ObservedGroup, plan: SearchResult) -> list[str]:
    """Return sentences: the diagnosis of the group, and the drain time with the plan.

    Empty for a step of a scenario.
    """
    if not isinstance(chosen, ChosenGroup):
        return []
    diagnosis = chosen.diagnosis()
    drain = diagnosis.drain_of(plan.best.assignment)
    text = f"This plan: {drain.text}."
    if drain.is_endless:
        text = "This plan does not drain at this pace."
    return [diagnosis.sentence, diagnosis.no_switch, text if drain.text else ""]


def _tell_why(
    result: SearchResult, observed: ObservedGroup, topic: str, partition: int
) -> str | None:
    """Store in `result` why the partition has its owner. If the reason is unknown, return an error
    message.
    """
    try:
        result.why = why_best(observed, result.best, result.starts, topic, partition)
    except SnapshotError as error:
        return str(error)
    return None


def _write_plan(path: Path, plan: Plan) -> None:
    file = with_plan(path, plan)
    write(path, file)
    if is_stale(file):
        note = (
            f"{path}: brokers ignore this file and its plan: the time of the weights is too long"
            " ago or in the future; write new weights"
        )
        print(printable(f"evenkeel best: {note}"), file=sys.stderr)


def _run_lines(options: argparse.Namespace) -> int:
    """Answer each line of standard input; return `FAILED` if there were requests and all failed."""
    if options.paths or options.cluster is not None:
        raise SnapshotError("--jsonl with files or --cluster: --jsonl reads only standard input")
    budget, failed = configuration().command_line, set()
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            gc.disable()
            result = answer(line, budget)
            if result.error:
                result.error.line = number
            failed.add(result.error is not None)
            sys.stdout.buffer.write(json_line(result).encode())
            gc.enable()
            sys.stdout.buffer.flush()
    return FAILED if failed == {True} else 0


def _group(options: argparse.Namespace) -> ChosenGroup | ObservedGroup:
    """Return the group of the files, of the live cluster, or of a scenario's step."""
    settings = configuration()
    inputs = [] if options.cluster is not None else inputs_of(options.paths)
    scenario = scenario_in(inputs)
    if scenario is None and options.step is not None:
        raise SnapshotError(f"--step {options.step} without a scenario: only scenarios have steps")
    group: ChosenGroup | Application | ObservedGroup
    if scenario is None:
        group = ChosenGroup.of(options, inputs)
    elif isinstance(scenario, ApplicationScenario):
        group = scenario.group
    else:
        group = group_of_step(
            with_history(scenario, settings.lake),
            chosen_step(scenario, options.step),
            settings.command_line,
        )
    if isinstance(group, Application):
        raise SnapshotError(
            f'"{group.application_id}" is a Kafka Streams application, expected a consumer group'
        )
    return group


def _asked(options: argparse.Namespace) -> PlanRequest:
    pinned: dict[str, list[int]] = {}
    for word in options.pin:
        topic, number = _partition("--pin", word)
        pinned.setdefault(topic, []).append(number)
    return PlanRequest(
        objective=options.objective,
        moves=options.moves,
        partitions_per_member=options.partitions_per_member,
        tolerance=options.tolerance,
        time_limit_s=TIME_LIMIT if options.time_limit is None else options.time_limit,
        untouched=options.untouched,
        pinned=pinned,
        racks=options.racks,
        frontier=options.frontier,
        right_size=options.right_size,
        within=options.within,
        beside=True,
        rates=_given_rates(options),
    )


def _partition(option: str, word: str) -> tuple[str, int]:
    topic, _, number = word.rpartition(":")
    if not topic or not number.isascii() or not number.isdigit():
        raise SnapshotError(f"{option} {word}: expected TOPIC:NUMBER, such as orders:7")
    return topic, int(number)


def _given_rates(options: argparse.Namespace) -> GivenRates | None:
    if options.rates is None:
        return None
    try:
        return msgspec.json.decode(options.rates.read_bytes(), type=GivenRates)
    except OSError as error:
        raise SnapshotError(f"--rates {options.rates}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise SnapshotError(
            f'--rates {options.rates}: {error}, expected {{"in": {{TOPIC: [records/s, …]}},'
            ' "capacity": records/s}'
        ) from None


def _rates(options: argparse.Namespace, observed: ObservedGroup) -> Rates | None:
    """Return rates from the lake. None for the objective `lag`, or if --rates is given."""
    if options.objective == "lag" or options.rates is not None:
        return None
    lake, name = configuration().lake, observed.group_id
    series = name and last_series(name, observed.taken_at, lake, options.cluster)
    if not series:
        raise SnapshotError(
            f'--objective {options.objective}: {lake} has no snapshots of group "{name}", expected'
            " --rates FILE"
        )
    return history_rates(observed.snapshot, series)


# The check of a certificate.


def _check(options: argparse.Namespace, observed: ObservedGroup) -> int:
    try:
        given = msgspec.json.decode(options.check.read_bytes())
    except OSError as error:
        raise SnapshotError(f"--check {options.check}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise SnapshotError(
            f"--check {options.check}: {error}, expected an answer of `evenkeel best --json`, or"
            " its certificate"
        ) from None
    certificate = given.get("certificate", given) if isinstance(given, dict) else None
    if not isinstance(certificate, dict) or "bounds" not in certificate:
        raise SnapshotError(
            f"--check {options.check}: found no certificate, expected an answer of `evenkeel best"
            " --json`, or its certificate"
        )
    wrong = check(_whole_document(observed), certificate, given.get("assignment"))
    for line in wrong:
        print(printable(f"evenkeel best: {line}"), file=sys.stderr)
    unchecked = [
        bound["name"] for bound in certificate["bounds"] if bound["name"] in ("search", "solver")
    ]
    if not wrong:
        left = (
            f"; not checked, because a new search is needed: {', '.join(unchecked)}"
            if unchecked
            else ""
        )
        sys.stdout.write(
            f"The certificate holds for this group: {len(certificate['bounds']) - len(unchecked)}"
            f" bounds checked{left}\n"
        )
    return FAILED if wrong else 0


def _whole_document(observed: ObservedGroup) -> dict:
    """Return the group document. `subscribed` lists all subscribed topics of a member, also topics
    that match its regular expression.
    """
    document, group = document_of(observed), observed.snapshot
    for member, lists in zip(document["members"], group.subscription.tolist(), strict=True):
        member["subscribed"] = [
            group.topic_name[topic] for topic in group.topic_lists[lists].tolist()
        ]
    return document
