"""Folding: if one finding explains another finding, only the explaining finding is shown."""

from collections.abc import Sequence

import numpy as np

from evenkeel.assignors.episodes.episode import Episode
from evenkeel.assignors.episodes.judgement import Judgement
from evenkeel.assignors.episodes.settings import Rule

_INTO = {
    Rule.LOSES: (Rule.LOST,),
    Rule.STOP: (Rule.LOST, Rule.LOSES),
    Rule.STALL: (Rule.LOST, Rule.LOSES),
    Rule.BLOCKED: (Rule.LOST, Rule.LOSES),
    Rule.NEVER_DRAINS: (Rule.LOST, Rule.LOSES),
    Rule.FORGOTTEN: (Rule.LOST,),
    Rule.BEHIND: (
        Rule.LOST,
        Rule.LOSES,
        Rule.STOP,
        Rule.BLOCKED,
        Rule.STALL,
        Rule.NEVER_DRAINS,
    ),
    Rule.REBALANCE_BURST: (Rule.UNSTABLE,),
}


def cause_of(each: Episode, others: Sequence[Episode], judgement: Judgement) -> Rule | None:
    """Return the rule of a finding that explains an episode; None if there is no such finding. The
    finding must still be open at the last slot of the episode and include all its partitions.
    """
    time = judgement.evidence.series.time
    # A burst counts changes of the past minutes, so its cause may be over at the burst's last slot.
    row = each.first_row if each.rule == Rule.REBALANCE_BURST else each.last_row
    for rule in _INTO.get(each.rule, ()):
        for other in others:
            is_open = other.first_row <= each.last_row and (
                other.until is None or other.until > time[row]
            )
            if other.rule == rule and is_open and _covers(other, each, judgement):
                return rule
    return None


def _covers(other: Episode, each: Episode, judgement: Judgement) -> bool:
    if each.rule != Rule.REBALANCE_BURST:
        return set(each.tps) <= set(other.tps)
    # The unstable consumer takes part in at least half of the changes.
    rows = slice(each.first_row, each.last_row + 1)
    unstable = judgement.unstable
    of_members = [unstable.name.index(name) for name in other.members]
    first = int(np.searchsorted(judgement.evidence.series.time, each.since))
    rows = slice(first, each.last_row + 1)
    changed = judgement.bursts[1][rows]
    own = unstable.changes[rows][:, of_members].any(axis=1) & changed
    return bool(2 * np.count_nonzero(own) >= np.count_nonzero(changed))
