"""Sentences about alerts: sent messages, messages that a rule would have sent, and whether to keep
the rule.
"""

from collections.abc import Collection, Mapping, Sequence

from evenkeel.dashboard.alerts.loading import AlertedGroups, RuleWeek
from evenkeel.dashboard.times import clock, day, local
from evenkeel.data.alerts.backtest import Telling
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.text.formats import counted, duration

SHORT_SECONDS = 600.0
_MOST = 3
NO_RECEIVER = "Nothing is sent: no rule of evenkeel.toml has a receiver."


def when(seconds: float, now: float) -> str:
    """Return a moment: `13:36`, or `Thu 12 Nov 15:15` if it is not on the day of `now`."""
    is_today = local(seconds).date() == local(now).date()
    return clock(seconds) if is_today else f"{day(seconds)} {clock(seconds)}"


def sent_words(alerted: AlertedGroups, now: float) -> str:
    """Return sentences on sent messages and failures.

    `Sent for 2 of 3 groups with an open warning: settlement-batch 15:15, invoice-writer 13:36. Not
    sent: audit (the answer is 404).`
    """
    if not alerted.groups:
        return "No group has an open warning."
    moments = sorted(alerted.sent.items(), key=lambda each: each[1])
    names = [f"{group} {when(at, now)}" for group, at in moments]
    head = (
        f"Sent for {len(moments):,} of {counted(len(alerted.groups), 'group')} with an open warning"
    )
    sentence = f"{head}: {_joined(names)}." if names else f"{head}."
    failed = [f"{group} ({reason})" for group, reason in alerted.failed.items()]
    return f"{sentence} Not sent: {_joined(failed)}." if failed else sentence


def open_words(open_groups: Collection[str], needy: Sequence[str]) -> str:
    """Return sentences on the groups with an open alert.

    `Open for 2 of the 3 groups that need you; not for audit: the finding is not open long enough,
    or this rule does not name it. Also open for mailer.`
    """
    without = [group for group in needy if group not in open_groups]
    others = sorted(set(open_groups) - set(needy))
    if not needy:
        return f"Open for {_joined(others)}." if others else "Open for no group."
    head = f"Open for {len(needy) - len(without):,} of the {len(needy):,} groups that need you"
    reason = ": the finding is not open long enough, or this rule does not name it"
    sentence = f"{head}; not for {_joined(without)}{reason}." if without else f"{head}."
    return f"{sentence} Also open for {_joined(others)}." if others else sentence


def week_words(tellings: Sequence[Telling], now: float) -> str:
    """Return `Would have sent 2 messages this week: 05:12 audit for 5h 12m; 11:30 batch, still
    open.`
    """
    if not tellings:
        return "Would have sent nothing this week."
    parts = [f"{when(each.told, now)} {each.group}{_length(each)}" for each in tellings[-_MOST:]]
    last = f", the last {_MOST}" * (len(tellings) > _MOST)
    count = counted(len(tellings), "message")
    return f"Would have sent {count} this week{last}: {'; '.join(parts)}."


def against_words(week: RuleWeek, limit: int) -> str:
    """Return a sentence on the alerts of `lag > N`.

    `lag > 1,000 would have sent 212 alerts, 9 of them while an alert of this rule was open.`
    """
    rings = week.against
    inside = f", {rings.inside:,} of them while an alert of this rule was open" * (rings.count > 0)
    return f"lag > {limit:,} would have sent {counted(rings.count, 'alert')}{inside}."


def verdict(tellings: Sequence[Telling]) -> tuple[str, str]:
    """Return `keep` or `drop`, and the reason. Both are empty if the rule would have sent
    nothing.
    """
    short = short_count(tellings)
    if not tellings:
        return "", ""
    if 2 * short > len(tellings):
        return "drop", f"{short:,} of {len(tellings):,} ended within 10 min"
    lasted = len(tellings) - short
    return (
        "keep",
        "all lasted longer" if not short else f"{lasted:,} of {len(tellings):,} lasted longer",
    )


def short_count(tellings: Sequence[Telling]) -> int:
    """Return the number of alerts that ended within ten minutes."""
    return sum(
        each.until is not None and each.until - each.told < SHORT_SECONDS for each in tellings
    )


def rule_words(rule: AlertRule) -> str:
    """Return a rule in words: `critical, stalled for 5 m of production/*`."""
    patience = ""
    if rule.patience is not None:
        patience = f" for {duration(rule.patience.total_seconds())}"
    groups = "all groups" if rule.groups == ("*",) else ", ".join(rule.groups)
    return f"{', '.join(rule.findings)}{patience}, {groups}"


def command_for(cluster: str, moments: Mapping[str, str]) -> str:
    """Return the command for a week that is too large for a page."""
    ends = " ".join(f"--{name} {moment}" for name, moment in moments.items())
    return f"evenkeel alerts test --cluster {cluster} {ends}"


def _length(telling: Telling) -> str:
    if telling.until is None:
        return ", still open"
    return f" for {duration(telling.until - telling.told)}"


def _joined(names: Sequence[str]) -> str:
    left = len(names) - _MOST
    return ", ".join([*names[:_MOST], *([f"and {left:,} more"] if left > 0 else [])])
