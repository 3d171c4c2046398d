"""Show what is wrong with a group, which members are affected and what to do.

For several groups, print one line for each group, worst first.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evenkeel.assignors.diagnosis.finding import Class
from evenkeel.data import clock
from evenkeel.data.commands.options.columns import add_columns, context_of
from evenkeel.data.commands.options.files import (
    add_cluster,
    add_paths,
    inputs_of,
    named_groups,
    wanted_groups,
)
from evenkeel.data.commands.options.scenarios import scenario_in
from evenkeel.data.commands.text import json_line, lines_with_words, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.diagnosis.answer import Answer, Context, diagnosed
from evenkeel.data.diagnosis.condition import FIGURES, GroupCondition, judged
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.diagnosis.phrases import are
from evenkeel.data.diagnosis.reading import Readings, between
from evenkeel.data.diagnosis.remedy import Action, Remedy
from evenkeel.data.diagnosis.stored import stored_readings
from evenkeel.data.diagnosis.summary import rank
from evenkeel.data.episodes.past import GroupPast, cluster_pasts, near, slot_before
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.group.lag_words import lag_notes
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.scenarios.input_faults import about_input
from evenkeel.data.scenarios.size import require_group
from evenkeel.data.scenarios.stored_groups import StoredGroup
from evenkeel.data.text.formats import UNKNOWN, counted, duration, number
from evenkeel.data.text.names import group_name

SUMMARY = "evenkeel.diagnosis-summary/1"

EXAMPLES = f"""\
examples:
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --group payments |
    evenkeel diagnose -
  evenkeel diagnose listing.txt --group payments --json
  evenkeel diagnose --cluster production --fail-if 'severity >= warning'
  evenkeel diagnose all-groups.txt --fail-if 'down > 0'

If a file has several readings with times, the latest reading is compared with an earlier reading
that is at least 20 s older.

figures of --fail-if, for each group:
  severity: severity of its worst primary finding, ok < info < warning < critical
  {", ".join(FIGURES[1:5])}: the number of its primary findings with this severity
  any code, such as {FIGURES[7]}: the number of its findings with this code, including notes

exit codes:
  0  done
  1  the condition of --fail-if holds for a group
  2  a wrong call, nothing readable, or a --fail-if whose result depends on unknown values
"""

_HEADS = {"drain_seconds": "drained in"}
_NAMES = {Action.NOTHING: "do nothing", Action.LOOK: "look for the cause"}
_PRICE = ("worst_lag", "drain_seconds", "moves", "paused", "restarts")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_paths(parser)
    add_cluster(parser)
    add_columns(parser)
    parser.add_argument(
        "--group",
        metavar="G",
        help="one group; for a listing without group names, the name of its group",
    )
    parser.add_argument(
        "--json", action="store_true", help="write JSON, one group a line, in place of text"
    )
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=GroupCondition.parse,
        help=(
            "a condition FIGURE < <= > >= == != VALUE, such as severity >= warning; exit with 1 if"
            " it holds for any group; exit with 2 if the result depends on unknown values"
        ),
    )


def run(options: argparse.Namespace) -> int:
    """Write the diagnoses to standard output; check the condition of --fail-if."""
    diagnosed_groups = sorted(_answers(options), key=rank)
    is_one = len(diagnosed_groups) == 1
    answers = (
        diagnosed_groups
        if is_one
        else [each for each in diagnosed_groups if not each.diagnosis.is_ignored]
    )
    ignored = len(diagnosed_groups) - len(answers)
    if options.json:
        documents = [each.document() for each in answers]
        sys.stdout.writelines(
            map(json_line, documents if is_one else [*documents, _summary(answers, ignored)])
        )
    else:
        lines = _page(answers[0]) if is_one else _list(answers, ignored)
        sys.stdout.writelines(f"{printable(line)}\n" for line in lines)
    if options.fail_if is None:
        return 0
    return _checked(options.fail_if, [each for each in answers if not each.diagnosis.is_ignored])


def _answers(options: argparse.Namespace) -> list[Answer]:
    if options.cluster is not None:
        return _live_answers(options)
    context = Context.of(configuration())
    inputs = inputs_of(options.paths)
    scenario = scenario_in(inputs)
    if scenario is not None:
        return [diagnosed(Readings(_listed_in(scenario.group)), context)]
    wanted = [] if options.group is None else [options.group]
    groups = wanted_groups(options.paths, wanted, context_of(options), inputs)
    return [
        diagnosed(each, context)
        for each in readings_of_all(
            groups.parsed,
            groups.keys,
            configuration().command_line,
            has_notes=options.json or len(groups.keys) == 1,
        )
    ]


def _live_answers(options: argparse.Namespace) -> list[Answer]:
    context = Context.of(configuration(), options.cluster)
    wanted = [] if options.group is None else [options.group]
    groups = named_groups(options.cluster, wanted, options.paths)
    listed = [_listed_in(group.document) for group in groups]
    reasons = [group.no_offsets for group in groups]
    lake, until = configuration().lake, clock.seconds()
    slots = near(instants(lake, options.cluster), until)
    if slots is None:
        pairs = zip(listed, reasons, strict=True)
        return [diagnosed(Readings(each, reason=reason), context) for each, reason in pairs]
    names = [each.group_id for each in listed if each.group_id]
    past = cluster_pasts(lake, options.cluster, slots, names)
    before = slot_before(slots, until)
    return [
        diagnosed(*_followed(Readings(each, reason=reason), before, past, context))
        for each, reason in zip(listed, reasons, strict=True)
    ]


def _followed(
    readings: Readings, before: str | None, past: Mapping[str, GroupPast], context: Context
) -> tuple[Readings, Context]:
    """Add the reading of the previous slot to the readings, and the group's past to the context.

    `before`: batch id of the previous slot, or None.
    """
    group_id, chosen = readings.now.group_id or "", configuration()
    if before is not None:
        stored = StoredGroup(chosen.lake, before, group_id, None, chosen.command_line)
        readings = between(stored_readings(stored).now, readings)
    return readings, replace(context, past=past.get(group_id, context.past))


def _listed_in(document: Any) -> ObservedGroup:
    if isinstance(document, Application):
        raise SnapshotError(
            "a scenario of a Kafka Streams application, expected a scenario of a consumer group"
        )
    require_group(configuration().command_line, document)
    return observed_from_document(document)


def _summary(answers: Sequence[Answer], ignored: int) -> dict[str, Any]:
    counts = Counter(answer.group_class for answer in answers)
    classes = {group_class.value: counts[group_class] for group_class in Class}
    return {"schema": SUMMARY, "groups": len(answers) + ignored, **classes, "ignored": ignored}


def _list(answers: Sequence[Answer], ignored: int) -> list[str]:
    """Return a line for each group with a problem or with unreadable rows.

    Then follow the numbers of fine groups, ignored groups and groups with unreadable rows.
    """
    shown = [
        answer
        for answer in answers
        if answer.group_class != Class.FINE or not answer.case.now.is_whole
    ]
    fine = len(answers) - len(shown)
    cells = [
        [
            answer.group_class.value,
            group_name(answer.names.group_id, None),
            f"{answer.sentence} {answer.advice}",
        ]
        for answer in shown
    ]
    last = [
        f"{counted(some, 'group')} {are(some)} {word}."
        for some, word in ((fine, "fine"), (ignored, "ignored"))
        if some
    ]
    if cut := sum(not answer.case.now.is_whole for answer in answers):
        last.append(
            f"Rows of {counted(cut, 'group')} could not be read: partitions may be missing."
        )
    return [*(lines_with_words(cells, 2) if cells else []), *last]


def _page(answer: Answer) -> list[str]:
    command = [f"  {answer.command}"] if answer.command else []
    notes = [f"Also: {note}" for note in answer.notes]
    notes += [f"Input: {fault}" for fault in about_input(answer.observed)]
    notes += [f"Input: {text}" for text in answer.about_input()]
    return [
        answer.sentence,
        answer.advice,
        *command,
        _evidence(answer),
        *notes,
        "",
        *_remedies(answer.remedies),
    ]


def _evidence(answer: Answer) -> str:
    settles = answer.settles
    total = UNKNOWN if answer.case.total is None else number(answer.case.total)
    parts = [
        f"{answer.how_sure}{f'. To settle it: {settles}' if settles else ''}.",
        f"Lag {total}.",
    ]
    if answer.case.unread_lag:
        parts.append(f"Without owner {number(answer.case.unread_lag)}.")
    notes = lag_notes(answer.observed.snapshot, answer.case.now.is_read)
    return " ".join([*parts, *(f"{note[0].upper()}{note[1:]}." for note in notes)])


def _remedies(remedies: Sequence[Remedy]) -> list[str]:
    head = [
        "remedy",
        "helps",
        *(_HEADS.get(name, name.replace("_", " ")) for name in _PRICE),
        "why",
    ]
    rows = [
        [_name(each), each.helps.value, *(_price(each, name) for name in _PRICE), each.why]
        for each in remedies
    ]
    return lines_with_words([head, *rows], 2)


def _name(remedy: Remedy) -> str:
    extra = [remedy.assignor] if remedy.assignor else []
    count = [f"{remedy.count:,}"] if remedy.count else []
    return " ".join(
        [_NAMES.get(remedy.action, remedy.action.value.replace("_", " ")), *count, *extra]
    )


def _price(remedy: Remedy, name: str) -> str:
    """Return a remedy's drain time, moves, paused partitions or restarts as a cell of the table."""
    if name == "drain_seconds" and remedy.drain_seconds is not None:
        return duration(remedy.drain_seconds)
    cell = _cell(getattr(remedy, name))
    is_each = name == "restarts" and remedy.action == Action.SWITCH and remedy.restarts
    return f"{cell} each" if is_each and cell != UNKNOWN else cell


def _cell(value: float | None) -> str:
    return UNKNOWN if value is None or value == float("inf") else number(int(value))


def _checked(condition: GroupCondition, answers: Sequence[Answer]) -> int:
    met, unjudged = judged(condition, answers)
    for answer in met:
        name = group_name(answer.names.group_id, None)
        print(
            printable(f"evenkeel diagnose: {condition} holds for {name}: {answer.sentence}"),
            file=sys.stderr,
        )
    if not met and unjudged:
        raise SnapshotError(f"{condition} cannot be judged: {unjudged[0].sentence}")
    return int(bool(met))
