"""Test alert rules on stored slots; write rules for Prometheus and a dashboard for Grafana.

`test` lists the alerts that each rule of [[alerts]] would have sent; it never uses later slots to
judge a slot. `status` lists the sent alerts. `export` needs no configuration.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from evenkeel.data.alerts.backtest import BackTest, Rings, Telling, by_rules, line
from evenkeel.data.alerts.export import grafana, prometheus
from evenkeel.data.alerts.ledger import status_rows
from evenkeel.data.commands.options.lake import iso_time, lake_of
from evenkeel.data.commands.text import json_line, lines_with_words, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.episodes.answer import GroupFindings, iso
from evenkeel.data.episodes.sources import Source, add_slots, no_group, source_of
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import counted, duration

EXAMPLES = """\
examples:
  evenkeel alerts test --cluster production --from 2026-11-20T00:00:00Z --against 1000
  evenkeel alerts test "on call" --slots slots.jsonl --json
  evenkeel alerts export --prometheus --out evenkeel-rules.yml
  evenkeel alerts export --grafana > evenkeel-dashboard.json
"""

_MANY = 20
"""Spark tests the rules if there are more groups."""

SUMMARY = "evenkeel.backtest-summary/1"
_DEFAULT = AlertRule("every critical or warning finding", findings=("critical", "warning"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    works = parser.add_subparsers(dest="work", required=True, metavar="WORK")
    test = works.add_parser("test", help="alerts that a rule would have sent")
    test.add_argument(
        "rule",
        nargs="?",
        help="the name of a rule in [[alerts]] (default: all rules; if there are no rules: alerts"
        " for every critical or warning finding)",
    )
    test.add_argument("--cluster", metavar="C", help="the cluster, if the lake has several")
    test.add_argument("--lake", "--out", dest="out", metavar="LAKE", help="a folder or a URL")
    add_slots(test)
    test.add_argument("--group", metavar="G", help="one group (default: all)")
    test.add_argument("--from", dest="since", metavar="ISO", type=iso_time, help="the first slot")
    test.add_argument("--to", dest="until", metavar="ISO", type=iso_time, help="the last slot")
    test.add_argument(
        "--against",
        metavar="N",
        type=int,
        help='for comparison, also count the alerts of a rule "lag > N records"',
    )
    test.add_argument(
        "--master",
        metavar="URL",
        default="local[*]",
        help="Spark master, used for more than 20 groups of a lake (default: local[*])",
    )
    test.add_argument("--json", action="store_true", help="write JSON, one episode a line")
    test.set_defaults(at=None)
    status = works.add_parser("status", help="sent and failed alerts")
    status.add_argument("--lake", "--out", dest="out", metavar="LAKE", help="a folder or a URL")
    status.add_argument("--json", action="store_true", help="write JSON, one rule a line")
    export = works.add_parser("export", help="rules for Prometheus, or a dashboard for Grafana")
    kind = export.add_mutually_exclusive_group(required=True)
    kind.add_argument("--prometheus", action="store_true", help="a file of rules")
    kind.add_argument("--grafana", action="store_true", help="a dashboard")
    export.add_argument(
        "--out", metavar="FILE", type=Path, help="a file (default: standard output)"
    )


def run(options: argparse.Namespace) -> int:
    """Run `test`, `status` or `export`."""
    if options.work == "status":
        return _status(options)
    if options.work == "export":
        text = prometheus() if options.prometheus else grafana()
        if options.out is None:
            sys.stdout.write(text)
            return 0
        try:
            options.out.write_text(text)
        except OSError as error:
            raise SnapshotError(f"{options.out}: {error.strerror}") from None
        return 0
    return _test(options)


def _status(options: argparse.Namespace) -> int:
    rows = status_rows(lake_of(options))
    if options.json:
        sys.stdout.writelines(map(json_line, rows))
        return 0
    cells = [
        [
            row["cluster"],
            row["rule"],
            f"sent {row['sent']:,}, open {row['open']:,}, waiting {row['waiting']:,}",
            "; ".join(f"{each['finding']}: {each['reason']}" for each in row["failed"]),
        ]
        for row in rows
    ]
    text = lines_with_words(cells, 3) if cells else ["No rule has sent anything."]
    sys.stdout.writelines(f"{printable(line)}\n" for line in text)
    return 0


def _rules(name: str | None) -> Sequence[AlertRule]:
    rules = configuration().alerts or (_DEFAULT,)
    wanted = [rule for rule in rules if name is None or rule.name == name]
    if not wanted:
        names = ", ".join(rule.name for rule in rules)
        raise SnapshotError(f'no rule "{name}" in [[alerts]], expected one of {names}')
    return wanted


def _test(options: argparse.Namespace) -> int:
    rules = _rules(options.rule)
    begin = options.since.timestamp() if options.since else -float("inf")
    tellings: dict[str, list[Telling]] = {rule.name: [] for rule in rules}
    rings = {rule.name: Rings() for rule in rules}
    lacks_slots: dict[str, list[int]] = {rule.name: [] for rule in rules}
    groups = slots = 0
    unknown: list[str] = []
    sources = source_of(options, options.until.timestamp() if options.until else None)
    for source in sources:
        slots += source.slot_count
        unknown += source.unknown
        wanted = [each for each in source.groups if options.group in (None, each)]
        groups += len(wanted)
        for answer in _answers(options, source, wanted, rules):
            tellings[answer.rule] += [each for each in answer.tellings if each.told >= begin]
            lacks_slots[answer.rule].append(answer.lacks_slots)
            rings[answer.rule] = rings[answer.rule].plus(answer.against)
    if not groups:
        raise no_group(options.group, sources)
    for rule in rules:
        in_order = sorted(tellings[rule.name], key=lambda each: (each.told, each.id))
        not_known = [*unknown, *GroupFindings.unjudged(lacks_slots[rule.name])]
        _write(options, rule.name, in_order, rings[rule.name], (groups, slots), not_known)
    return 0


def _answers(
    options: argparse.Namespace,
    source: Source,
    wanted: Sequence[str],
    rules: Sequence[AlertRule],
) -> Iterable[BackTest]:
    settings = configuration().findings
    if isinstance(source, StoredSnapshots) and len(wanted) > _MANY:
        from evenkeel.data.pipeline.alerts import back_tests_on_spark
        from evenkeel.data.pipeline.session import session, stopped_after

        with stopped_after(session(options.master)) as spark:
            return back_tests_on_spark(spark, source, wanted, rules, settings, options.against)
    return [
        answer
        for group, evidence in (source.evidence_of(wanted) if wanted else ())
        for answer in by_rules(rules, group, evidence, settings, source.cluster, options.against)
    ]


def _write(
    options: argparse.Namespace,
    rule: str,
    tellings: Sequence[Telling],
    rings: Rings,
    size: tuple[int, int],
    unknown: Sequence[str],
) -> None:
    if options.json:
        sys.stdout.writelines(json_line(line(rule, each)) for each in tellings)
        against = None
        if options.against is not None:
            against = {"lag": options.against, "count": rings.count, "inside": rings.inside}
        counts = Counter(each.code for each in tellings)
        summary = {
            "schema": SUMMARY,
            "rule": rule,
            "groups": size[0],
            "slots": size[1],
            "episodes": len(tellings),
            "codes": dict(sorted(counts.items())),
            "against": against,
            "unknown": list(unknown),
        }
        sys.stdout.write(json_line(summary))
        return
    cells = [[iso(each.told) or "", _length(each), each.group, each.text] for each in tellings]
    head = (
        f'"{rule}" would have sent {counted(len(tellings), "finding")} of'
        f" {counted(size[0], 'group')}."
    )
    last = (
        [
            f"lag > {options.against:,} would have alerted {counted(rings.count, 'time')},"
            f" {rings.inside:,} of them while a finding was open."
        ]
        if options.against is not None
        else []
    )
    lines = lines_with_words(cells, 3) if cells else []
    text = [head, *lines, *last, *(f"Unknown: {each}." for each in unknown)]
    sys.stdout.writelines(f"{printable(line)}\n" for line in text)


def _length(telling: Telling) -> str:
    if telling.until is None:
        return "still open"
    return f"for {duration(telling.until - telling.told)}"
