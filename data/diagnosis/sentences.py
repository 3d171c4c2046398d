"""The sentence of each cause of lag."""

from collections.abc import Mapping
from typing import Any

from evenkeel.assignors.diagnosis.finding import REASON, Certainty, Code, Finding
from evenkeel.data.diagnosis.advices import (
    rates_text,
)
from evenkeel.data.diagnosis.phrases import (
    Names,
    Telling,
    are,
    span,
)
from evenkeel.data.group.lag_words import between
from evenkeel.data.text.formats import counted, number

NO_OFFSETS = "the reading has no offsets"


def _down(finding: Finding, names: Names) -> str:
    figures = finding.figures
    is_likely = finding.certainty != Certainty.CERTAIN
    head = f"{names.group} has no member{' in this reading' if is_likely else ''}"
    if not figures["lag"]:
        return f"{head}, and its lag is not known."
    if figures["partitions"] == figures["of"]:
        places = f"its {counted(figures['partitions'], 'partition')}"
    else:
        places = f"{figures['partitions']:,} of its {counted(figures['of'], 'partition')}"
    least = "at least " if finding.detail["is_least"] else ""
    return f"{head}: {least}{number(figures['lag'])} records wait on {places}."


def _rebalancing(finding: Finding, names: Names) -> str:
    figures = finding.figures
    if not figures["lag"]:
        return f"{names.group} is rebalancing, and no known record waits."
    places = counted(figures["partitions"], "partition")
    return (
        f"{names.group} is rebalancing: {number(figures['lag'])} records wait on {places} until it"
        " ends."
    )


def _past_end(finding: Finding, names: Names) -> str:
    figures, tp = finding.figures, finding.tps[0]
    head = (
        f"{names.partition(tp)} is committed at {figures['committed']:,}, past its end at"
        f" {figures['end']:,}"
    )
    more = figures["partitions"] - 1
    others = f", and so {are(more)} {counted(more, 'more partition')}" if more else ""
    if finding.certainty != Certainty.CERTAIN:
        return f"{head}{others}: perhaps read at two moments."
    cause = "the topic was recreated or cut" if not more else "a topic was recreated or cut"
    return f"{head}{others}: {cause}."


def _unread(finding: Finding, names: Names) -> str:
    figures = finding.figures
    have = "has" if figures["partitions"] == 1 else "have"
    part, whole = number(figures["lag"]), number(figures["of"])
    part = f"{part} records" if part == whole else f"{part} of the group's {whole} records"
    return (
        f"{names.partitions(finding.tps)} {have} no owner: {part} wait there and nobody reads them."
    )


def _stalled(finding: Finding, names: Names) -> str:
    figures = finding.figures
    have = "has" if len(finding.members) == 1 else "have"
    places = counted(figures["partitions"], "partition")
    others = " while others move on" if finding.detail["others_move"] else ""
    head = f"{names.members(finding.members)} {have} read nothing in {figures['seconds']:,} s"
    return f"{head}: {number(figures['lag'])} records wait on {places}{others}."


def _stuck(finding: Finding, names: Names) -> str:
    figures = finding.figures
    head = f"{names.partitions(finding.tps)} did not move in {figures['seconds']:,} s"
    place = f" from offset {figures['committed']:,}" if figures["partitions"] == 1 else ""
    waits = f"{head}: {number(figures['lag'])} records wait{place}"
    if not finding.members:
        return f"{waits}."
    moves = "moves" if len(finding.members) == 1 else "move"
    return f"{waits}, though {names.members(finding.members)} {moves} other partitions on."


def _rewound(finding: Finding, names: Names) -> str:
    figures = finding.figures
    more = figures["partitions"] - 1
    others = f", {more:,} more fell too" if more else ""
    head = (
        f"{names.partition(finding.tps[0])} went back from {figures['from']:,} to {figures['to']:,}"
    )
    return f"{head}{others}: {number(figures['again'])} records are read again."


def _on_partitions(finding: Finding) -> str:
    figures = finding.figures
    its = "its" if figures["members"] == 1 else "their"
    each = (
        f"each of {its} {figures['partitions']:,} partitions"
        if figures["partitions"] > 1
        else f"{its} partition"
    )
    head = f"{span(finding.figures['least'], finding.figures['most'])} on {each}"
    # The other members may have as many records on their way.
    if not figures["others"] or 2 * figures["others_most"] > figures["least"]:
        return head
    others = "other" if figures["others"] == 1 else f"{figures['others']:,} others"
    return f"{head}, at most {number(figures['others_most'])} on the {others}"


def _silent_member(finding: Finding, names: Names) -> str:
    who = f"{names.members(finding.members)} {are(len(finding.members))}"
    return f"{who} stopped or far slower: {_on_partitions(finding)}."


def _slow_member(finding: Finding, names: Names) -> str:
    reads = "reads" if len(finding.members) == 1 else "read"
    return f"{names.members(finding.members)} {reads} too slowly: {_on_partitions(finding)}."


def _part(figures: Mapping[str, Any]) -> str:
    """Return a part of the lag in words: `482 k of 484 k records`, `all 13.0 k records`."""
    part, whole = number(figures["lag"]), number(figures["of"])
    if part != whole:
        return f"{part} of {whole} records"
    return f"{'all' if figures['lag'] == figures['of'] else 'nearly all'} {whole} records"


def _carries(finding: Finding, names: Names) -> str:
    have = "has" if len(finding.tps) == 1 else "have"
    return f"{names.partitions(finding.tps)} {have} {_part(finding.figures)}"


def _one_partition(finding: Finding, names: Names) -> str:
    if finding.detail["readings"] == 2:
        return f"{_carries(finding, names)}: {_why(finding)}."
    committed = finding.figures["committed"]
    is_at = committed is not None and len(finding.tps) == 1
    stuck = f"stuck at offset {committed:,}" if is_at else "stuck"
    if finding.detail["is_only"]:
        behind = f"{names.partition(finding.tps[0])} is {number(finding.figures['lag'])} records"
        return f"{behind} behind: {stuck}, or its owner is too slow or has stopped."
    or_gone = f"{stuck}, hot, or its owner has stopped" if finding.assumed else f"{stuck} or hot"
    return f"{_carries(finding, names)}: {or_gone}."


def _hot_partition(finding: Finding, names: Names) -> str:
    figures = finding.figures
    arrived, others = number(figures["arrived"]), number(figures["others_arrived"])
    got = f"{arrived} came in {figures['seconds']:,} s, the median partition got {others}"
    return f"{_carries(finding, names)}: {got}."


def _uncommitted(finding: Finding, names: Names) -> str:
    figures = finding.figures
    was = "was" if figures["partitions"] == 1 else "were"
    known = f", beside {number(figures['known'])} that are known" if figures["known"] else ""
    wait = f"{between(int(figures['at_most'] or 0))} wait there"
    return f"{names.partitions(finding.tps)} {was} never committed: {wait}{known}."


def _behind(finding: Finding, names: Names) -> str:
    figures = finding.figures
    readers = figures["readers"]
    topics = names.topics(finding.topics)
    size = (
        f"{counted(figures['members'], 'member')} for {counted(figures['partitions'], 'partition')}"
    )
    is_unsure = finding.certainty == Certainty.UNSURE
    total = "or between two commits" if is_unsure else f"{number(figures['lag'])} in all"
    if readers == 1:
        lag = f"{number(figures['most'])} records"
        between = ", or between two commits" if is_unsure else ""
        return (
            f"{names.member(finding.members[0])} reads {topics} and is behind, {lag}{between}:"
            f" {size}."
        )
    who = "Both members" if readers == 2 else f"All {readers:,} members"
    alike = " alike" if finding.detail["alike"] else ""
    return (
        f"{who} that read {topics} are behind{alike},"
        f" {span(finding.figures['least'], finding.figures['most'])} each, {total}: {size}."
    )


def _uneven(finding: Finding, names: Names) -> str:
    figures = finding.figures
    mean = f"{figures['times']:.1f} times the mean of {number(figures['mean'])}"
    after = (
        f"{finding.detail['assignor']} would leave the worst member"
        f" {number(figures['worst_after'])}"
    )
    has = f"{names.member(finding.members[0])} has {number(figures['worst'])} records"
    return f"{has}, {mean}: {after}."


def _why(finding: Finding) -> str:
    if "in_rate" in finding.figures:
        return rates_text(finding.figures)
    is_one = finding.detail["readings"] == 1
    return "one reading does not say why" if is_one else "two readings do not say why"


def _lagging(finding: Finding, names: Names) -> str:
    figures = finding.figures
    part, why = _part(figures), _why(finding)
    if finding.members:
        places = counted(figures["partitions"], "partition")
        return f"{names.member(finding.members[0])} has {part} on {places}: {why}."
    have = "has" if len(finding.tps) == 1 else "have"
    return f"{names.partitions(finding.tps)} {have} {part}: {why}."


def _left(finding: Finding, names: Names) -> str:
    figures = finding.figures
    wait = f"{number(figures['lag'])} records of {counted(figures['partitions'], 'partition')}"
    return (
        f"No member of {names.group} subscribes to {names.topics(finding.topics)} any more: {wait}"
        " are left there."
    )


def _unknown(finding: Finding, names: Names) -> str:
    figures = finding.figures
    if finding.lag is None:
        why = "its end offsets are missing" if finding.detail["lacks_ends"] else NO_OFFSETS
        return f"No lag of {names.group} is known: {finding.detail.get(REASON) or why}."
    wait = f"{number(finding.lag)} records wait on {counted(figures['partitions'], 'partition')}"
    if finding.detail["shared"]:
        return f"{wait} of {names.group}, whose members share partitions: no member can be named."
    return f"No owner of {names.group} is known: {wait}."


def _fine(finding: Finding, names: Names) -> str:
    figures = finding.figures
    most = (
        f", at most {number(figures['most'])} on one member" if figures["most"] is not None else ""
    )
    lag = f"{number(figures['lag'])} records" if figures["lag"] != 1 else "1 record"
    partitions = counted(figures["partitions"], "partition")
    if "owners" in finding.assumed:
        return f"{names.group} keeps up: {lag} on {partitions}, and owners are not recorded."
    known = "" if finding.detail["is_all_known"] else " as far as is known"
    return f"{names.group} is fine{known}: {lag} on {partitions}{most}."


def _idle(finding: Finding, names: Names) -> str:
    figures = finding.figures
    have = "has" if figures["members"] == 1 else "have"
    head = f"{names.members(finding.members)} {have} no partition"
    always = figures["always"]
    never = f"{head}: {counted(always, 'member')} of the group can never get a partition."
    return never if always else f"{head}."


SENTENCES: dict[Code, Telling] = {
    Code.DOWN: _down,
    Code.REBALANCING: _rebalancing,
    Code.PAST_END: _past_end,
    Code.UNREAD: _unread,
    Code.STALLED: _stalled,
    Code.STUCK: _stuck,
    Code.REWOUND: _rewound,
    Code.SILENT_MEMBER: _silent_member,
    Code.SLOW_MEMBER: _slow_member,
    Code.ONE_PARTITION: _one_partition,
    Code.HOT_PARTITION: _hot_partition,
    Code.UNCOMMITTED: _uncommitted,
    Code.BEHIND: _behind,
    Code.UNEVEN: _uneven,
    Code.LAGGING: _lagging,
    Code.LEFT: _left,
    Code.UNKNOWN: _unknown,
    Code.FINE: _fine,
    Code.IDLE: _idle,
}
"""By code."""
