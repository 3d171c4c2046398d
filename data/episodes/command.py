"""Show what is wrong in a cluster, worst first: since when, affected groups, losses, and advice.

The command reads snapshots that `evenkeel collect` has stored, or recordings of slots. It needs no
cluster and no Spark. Without a time it shows the findings that are open at the last slot.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.assignors.episodes.settings import OF_PROGRESS, OVER_TIME
from evenkeel.data import clock
from evenkeel.data.commands.options.lake import iso_time
from evenkeel.data.commands.text import json_line, lines_with_words, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.diagnosis.condition import GroupCondition
from evenkeel.data.episodes.answer import Finding, GroupFindings, findings_of, in_order, iso
from evenkeel.data.episodes.silent import Silent, silent
from evenkeel.data.episodes.sources import Source, add_slots, no_group, source_of
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import counted, listed

SUMMARY = "evenkeel.findings-summary/1"

EXAMPLES = f"""\
examples:
  evenkeel findings --cluster production
  evenkeel findings --cluster production --group payments --from 2026-11-27T08:00:00Z
  evenkeel findings --cluster production --fail-if 'critical > 0'
  evenkeel findings --slots slots.jsonl --all --json

If two findings have the same cause, only the main finding is listed; --all lists both.

figures of --fail-if, of each group:
  severity: severity of its worst open finding
  critical, warning, info: the number of its findings
  any code: {", ".join(OVER_TIME)}

exit codes:
  0  done
  1  the condition of --fail-if holds for a group
  2  a wrong call, nothing readable, or a --fail-if whose result depends on unknown values
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--cluster", metavar="C", help="the collected cluster, if the lake has several"
    )
    parser.add_argument(
        "--lake",
        "--out",
        dest="out",
        metavar="LAKE",
        help="a folder, or a URL such as s3://bucket/lake (default: the lake of evenkeel.toml)",
    )
    add_slots(parser)
    parser.add_argument("--group", metavar="G", help="one group (default: all)")
    parser.add_argument("--topic", metavar="T", help="only findings about this topic")
    parser.add_argument(
        "--at",
        metavar="ISO",
        type=iso_time,
        help="findings that were open at this time; ignores later slots (default: the last slot)",
    )
    parser.add_argument(
        "--from", dest="since", metavar="ISO", type=iso_time, help="the start of the time range"
    )
    parser.add_argument(
        "--to", dest="until", metavar="ISO", type=iso_time, help="the end of the time range"
    )
    parser.add_argument("--all", action="store_true", help="list folded findings too")
    parser.add_argument("--json", action="store_true", help="write JSON, one finding per line")
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=_condition,
        help=(
            "exit with 1 if FIGURE < <= > >= == != VALUE holds for any group, such as critical > 0"
        ),
    )


def run(options: argparse.Namespace) -> int:
    """Write the findings to standard output and check the condition."""
    if options.at and (options.since or options.until):
        raise SnapshotError("--at and a range were given, expected one of them")
    last = options.at or options.until
    sources = source_of(options, last.timestamp() if last else None)
    every, lacks_slots = _findings(options, sources)
    groups = list(lacks_slots)
    listed = in_order(each for each in every if _is_asked(options, each))
    lines = [each for each in listed if options.all or each.is_shown]
    summary = _summary(sources, groups, listed)
    summary["unknown"] += GroupFindings.unjudged(list(lacks_slots.values()))
    clusters = [] if last else _silent(sources)
    summary["warning"] += len(clusters)
    if options.json:
        sys.stdout.writelines(json_line(each.document()) for each in clusters)
        sys.stdout.writelines(json_line(each.document()) for each in lines)
        sys.stdout.write(json_line(summary))
    else:
        sys.stdout.writelines(f"{printable(line)}\n" for line in _text(lines, clusters, summary))
    if options.fail_if is None:
        return 0
    if clusters:
        raise SnapshotError(f"{options.fail_if} cannot be judged: {clusters[0].text}")
    return _checked(options.fail_if, lacks_slots, listed)


def _silent(sources: Sequence[Source]) -> list[Silent]:
    """Return the clusters whose last slot is more than three slot intervals old."""
    now = clock.seconds()
    every = (silent(each.cluster, each.name, each.last, each.step, now) for each in sources)
    return [each for each in every if each is not None]


_Key = tuple[str | None, str]
"""Cluster and group."""

_FIGURES = ("severity", *(each.word for each in reversed(Severity)), *OVER_TIME)


def _condition(text: str) -> GroupCondition:
    return GroupCondition.parse(text, _FIGURES)


def _findings(
    options: argparse.Namespace, sources: Sequence[Source]
) -> tuple[list[Finding], dict[_Key, int]]:
    """Return the findings of all requested groups, and the needed number of slots by group.

    The number is 0 for a group that has enough slots to judge its progress.
    """
    settings = configuration().findings
    every: list[Finding] = []
    lacks_slots: dict[_Key, int] = {}
    topics: set[str] = set()
    for source in sources:
        # A group may exist only in slots between the first and the last slot.
        wanted = source.groups if options.group is None else [options.group]
        for group, evidence in source.evidence_of(wanted) if wanted else ():
            if not evidence.is_listed.any():
                continue
            lacks_slots[source.cluster, group] = evidence.lacks_slots
            topics.update(evidence.series.topic_name)
            ignored = settings.ignored_of(group)
            findings = findings_of(evidence, group, settings, source.cluster, source.servers)
            every += [each for each in findings if each.code not in ignored]
    if not lacks_slots:
        raise no_group(options.group, sources)
    if options.topic is not None and options.topic not in topics:
        known = f", expected {listed(sorted(topics))}" if topics else ""
        raise SnapshotError(
            f"no topic {options.topic} of {counted(len(lacks_slots), 'group')}{known}"
        )
    return every, lacks_slots


def _is_asked(options: argparse.Namespace, finding: Finding) -> bool:
    episode = finding.episode
    if options.topic is not None and options.topic not in finding.subject.topics:
        return False
    if options.since is None and options.until is None:
        return finding.is_open
    begin = options.since.timestamp() if options.since else -float("inf")
    return episode.until is None or episode.until > begin


def _summary(
    sources: Sequence[Source], groups: Sequence[_Key], listed: Sequence[Finding]
) -> dict[str, Any]:
    shown = [each for each in listed if each.is_shown]
    severities = Counter(each.episode.severity for each in shown)
    ill = {(each.cluster, each.group) for each in shown if each.episode.severity > Severity.INFO}
    return {
        "schema": SUMMARY,
        "slots": sum(source.slot_count for source in sources),
        "last_slot": iso(max(source.last for source in sources)),
        "groups": len(groups),
        "healthy": len(groups) - len(ill),
        "critical": severities[Severity.CRITICAL],
        "warning": severities[Severity.WARNING],
        "info": severities[Severity.INFO],
        "folded": len(listed) - len(shown),
        "unknown": [line for source in sources for line in source.unknown],
    }


def _text(
    lines: Sequence[Finding], clusters: Sequence[Silent], summary: dict[str, Any]
) -> list[str]:
    cells = [
        [Severity.WARNING.word, f"since {iso(each.last_slot)}", each.name, each.text]
        for each in clusters
    ]
    cells += [
        [
            each.episode.severity.word,
            f"{'at least ' if each.episode.is_least else ''}since {iso(each.episode.since)}"
            + (f" until {iso(each.episode.until)}" if each.episode.until is not None else ""),
            each.group,
            each.text,
        ]
        for each in lines
    ]
    groups = counted(summary["groups"], "group")
    last = [
        (
            f"{groups}, {summary['healthy']:,} without a warning;"
            f" {counted(summary['slots'], 'slot')}, the last at {summary['last_slot']};"
            f" {summary['folded']:,} folded."
        ),
        *(f"Unknown: {line}." for line in summary["unknown"]),
    ]
    nothing = "No finding." if summary["unknown"] else "Nothing is wrong."
    return [*(lines_with_words(cells, 3) if cells else [nothing]), *last]


def _checked(
    condition: GroupCondition,
    lacks_slots: Mapping[_Key, int],
    findings: Sequence[Finding],
) -> int:
    unjudged = []
    is_met = False
    needs_slots = condition.figure in OF_PROGRESS or condition.figure not in OVER_TIME
    for key, lacking in lacks_slots.items():
        mine = [each for each in findings if (each.cluster, each.group) == key]
        verdict = condition.holds_for(
            [each.episode.severity for each in mine],
            [each.code for each in mine],
            any(each.code == Code.UNKNOWN and each.is_open for each in mine)
            or (needs_slots and lacking > 0),
        )
        if verdict is None:
            why = f"it has fewer than {lacking:,} slots" if lacking else "its lag is unknown"
            unjudged.append(f"{key[1]}: {why}")
        if verdict:
            is_met = True
            texts = " ".join(each.text for each in mine if each.is_shown)
            line = f"evenkeel findings: {condition} holds for {key[1]}: {texts}"
            print(printable(line), file=sys.stderr)
    if unjudged and not is_met:
        raise SnapshotError(f"{condition} cannot be judged for {unjudged[0]}")
    return int(is_met)
