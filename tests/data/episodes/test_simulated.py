"""Findings of simulated groups: none is missed and none is false, whatever the length of a slot,
the number of members and the gaps.
"""

import pytest

from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import findings_of
from tests.generated.incidents import T0
from tests.generated.simulated_groups import KINDS, SLOTS, Simulated, Truth

_SEEDS = range(3)
_GAP, _UNTIL = 4, 5
"""Slots that a gap and the end of an episode may cost."""


def _problems(truth: Truth, row, seconds: dict[str, float]) -> list[str]:
    since, until = row.episode.since - T0, row.episode.until
    names = sorted(f"a-{tp}" for tp in truth.tps)
    problems = []
    if abs(since - truth.since) > truth.slots * seconds["slot"] + seconds["loss"]:
        problems.append(f"since {since}, expected {truth.since}")
    if sorted(row.subject.partitions) != names:
        problems.append(f"partitions {row.subject.partitions}, expected {names}")
    if sorted(row.subject.members) != truth.members:
        problems.append(f"members {row.subject.members}, expected {truth.members}")
    if truth.until is not None:
        late = None if until is None else until - T0 - truth.until
        if late is None or not 0 <= late <= _UNTIL * seconds["slot"] + seconds["loss"]:
            problems.append(f"until {until and until - T0}, expected {truth.until}")
    return problems


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_nothing_is_missed_and_nothing_is_false(kind, tmp_path):
    problems = []
    for seed in _SEEDS:
        group = Simulated(seed)
        truths = kind(group)
        incident, missing = group.incident()
        evidence = incident.recorded(tmp_path, SLOTS, missing).evidence("g")
        rows = findings_of(evidence, "g", FindingSettings())
        # Each return is a rebalance, and so is each new member id.
        rows = [row for row in rows if row.code.value != "bursts"]
        loss = group.commit_seconds + (_GAP * group.every if missing else 0)
        seconds = {"slot": group.every, "loss": loss}
        wrong = []
        for truth in truths:
            mine = [row for row in rows if row.code.value in truth.codes]
            wrong += [] if mine else [f"{truth.codes[0]} is missed"]
            for row in mine[:1]:
                rows.remove(row)
                wrong += _problems(truth, row, seconds)
        wrong += [
            f"{row.code.value} since {row.episode.since - T0} is false"
            for row in rows
            if row.episode.folded_into is None
        ]
        problems += [f"seed {seed}: {each}" for each in wrong]

    assert problems == []
