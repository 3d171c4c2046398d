"""Push: send a message when a finding starts, and a message when the finding ends.

While a finding is open, Alertmanager gets the message again about every four minutes. Other
receivers get the message again if the rule has a repeat time.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from evenkeel.data import clock
from evenkeel.data.alerts.ledger import (
    END,
    GIVEN_UP,
    REFUSED,
    SENT,
    START,
    Entry,
    Intent,
    Ledger,
    episode_of,
    quoted,
)
from evenkeel.data.alerts.messages import FIRING, RESOLVED, message
from evenkeel.data.alerts.sending import Delivery, Outcome, post
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.conversion import resolved
from evenkeel.data.configuration.rights import granted
from evenkeel.data.episodes.answer import Finding, GroupFindings
from evenkeel.data.episodes.recent_slots import recent_slots
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import Place

SLOTS = 120
"""Three times the widest window of a rule."""

MOST_GROUPS = 5
"""If there are messages about more groups, one message reports all groups."""

_PAUSES = (5.0, 15.0, 45.0)
_GIVE_UP_SECONDS = 3600.0
_REPEAT_SECONDS = 240.0
"""Alertmanager resolves an alert after five minutes, unless it is sent again."""

Send = Callable[[str, bytes, str, bool], Delivery]


def tell(lake: Place, cluster: str, wait: Callable[[float], None] = time.sleep) -> None:
    """Compute the findings of a cluster's last slots and send the messages of each rule that has a
    receiver.
    """
    rules = [rule for rule in configuration().alerts if rule.webhook is not None]
    slots = last_of(instants(lake, cluster), SLOTS) if rules else None
    if slots is None or not slots.batches:
        return
    settings = configuration().findings
    findings: dict[str, list[Finding]] = {rule.name: [] for rule in rules}
    for group, evidence in recent_slots(lake, cluster).evidence_of(slots, settings.has_objective):
        ignored = settings.ignored_of(group)
        judged = GroupFindings(evidence, group, settings, cluster)
        for rule in rules:
            if rule.takes(cluster, group) and _may_see(rule, cluster, group):
                every = judged.until(rule.settings(settings))
                findings[rule.name] += [each for each in every if each.code not in ignored]
    for rule in rules:
        tell_rule(rule, Ledger(lake, cluster, rule.name), findings[rule.name], wait=wait)


def _may_see(rule: AlertRule, cluster: str, group: str) -> bool:
    rights = configuration().rights
    if rule.owner is None or not rights:
        return True
    claims = {right.claim: rule.owner for right in rights}
    return granted(rights, claims).may("see", cluster, group)


def tell_rule(
    rule: AlertRule,
    ledger: Ledger,
    findings: Sequence[Finding],
    send: Send = post,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Store a message for each finding that started or ended. Then send all unsent messages."""
    now = clock.seconds()
    began = ledger.open_episodes()
    open_now = {quoted(each.id): each for each in findings if each.is_open}
    for name, each in open_now.items():
        is_due = each.is_shown and each.episode.reported is not None
        if name not in began and is_due and rule.asks_for(each.code, each.episode.severity):
            episode = episode_of(each.id, each.episode.seen)
            ledger.intend(episode, START, Intent(each.document(), now))
    over = {episode_of(each.id, each.episode.seen): each for each in findings if not each.is_open}
    for name, episode in began.items():
        if name not in open_now:
            ledger.intend(episode, END, Intent(_ended(ledger, episode, over, now), now))
    _send_pending(rule, ledger, send, wait, now)
    pause = rule.repeat_seconds
    if rule.webhook is not None and rule.webhook.form == "alertmanager":
        pause = _REPEAT_SECONDS
    if pause is not None:
        _repeat(rule, ledger, send, wait, now, pause)


def _repeat(
    rule: AlertRule,
    ledger: Ledger,
    send: Send,
    wait: Callable[[float], None],
    now: float,
    pause: float,
) -> None:
    """Send the open findings again if the last message is at least `pause` seconds old.

    No retry.
    """
    still_open = set(ledger.open_episodes().values())
    part = [
        (entry, ledger.intent(entry))
        for entry in ledger.entries()
        if entry.step == START and entry.outcome == SENT and entry.episode in still_open
    ]
    if not part:
        return
    last = max(ledger.repeated() or 0.0, min(intent.made for _, intent in part))
    if now - last < pause:
        return
    # A new key: a receiver ignores a message whose key it has already seen.
    again = f"-again@{now:.0f}"
    if _posted(rule, FIRING, part, send, wait, pauses=(), again=again).outcome == Outcome.SENT:
        ledger.note_repeated(now)


def _ended(ledger: Ledger, episode: str, over: Mapping[str, Finding], now: float) -> dict[str, Any]:
    """Return an ended finding as JSON. If the lake's last slots do not contain the finding: return
    the content of the first message, with the present time as the end.
    """
    if episode in over:
        return over[episode].document()
    began = ledger.intent(Entry(episode, START, "", None)).finding
    return {**began, "until": f"{clock.now():%Y-%m-%dT%H:%M:%SZ}"}


def _send_pending(
    rule: AlertRule, ledger: Ledger, send: Send, wait: Callable[[float], None], now: float
) -> None:
    for step, state in ((START, FIRING), (END, RESOLVED)):
        pending = [
            (entry, ledger.intent(entry))
            for entry in ledger.entries()
            if entry.step == step and entry.outcome is None
        ]
        for part in _messages(pending):
            _send(rule, ledger, state, part, send, wait, now)


def _messages(pending: Sequence[tuple[Entry, Intent]]) -> Iterable[list[tuple[Entry, Intent]]]:
    """Combine stored messages: one message for each consumer group; with more than `MOST_GROUPS`
    groups, one message for all.
    """
    of_group = defaultdict(list)
    for entry, intent in pending:
        of_group[intent.finding["group"]].append((entry, intent))
    if len(of_group) > MOST_GROUPS:
        return [list(pending)]
    return of_group.values()


def _send(
    rule: AlertRule,
    ledger: Ledger,
    state: str,
    part: Sequence[tuple[Entry, Intent]],
    send: Send,
    wait: Callable[[float], None],
    now: float,
) -> None:
    answer = _posted(rule, state, part, send, wait)
    outcome = {Outcome.SENT: SENT, Outcome.REFUSED: REFUSED}.get(answer.outcome)
    for entry, intent in part:
        if outcome is not None:
            ledger.settle(entry, outcome, answer.reason)
        elif now - intent.made > _GIVE_UP_SECONDS:
            ledger.settle(entry, GIVEN_UP, answer.reason)


def _posted(
    rule: AlertRule,
    state: str,
    part: Sequence[tuple[Entry, Intent]],
    send: Send,
    wait: Callable[[float], None],
    pauses: Sequence[float] = _PAUSES,
    again: str = "",
) -> Delivery:
    """Send one message. If sending fails, retry after each pause.

    `again`: added to the message's key, so that the receiver does not ignore a reminder.
    """
    webhook = rule.webhook
    if webhook is None:
        return Delivery(Outcome.FAILED, "the rule has no receiver")
    keys = [entry.key for entry, _ in part]
    body = message(webhook.form, rule.name, state, [intent.finding for _, intent in part], keys)
    try:
        url = resolved(f"alerts.{rule.name}.webhook.url", webhook.url)
    except SnapshotError as error:
        return Delivery(Outcome.FAILED, str(error))
    whole = url, msgspec.json.encode(body), keys[0] + again, webhook.local
    answer = send(*whole)
    for pause in pauses:
        if answer.outcome != Outcome.FAILED:
            break
        wait(pause)
        answer = send(*whole)
    return answer
