"""A member slows down while its group reads: when its verdict says so, and what becomes of the
drain.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.drain import Band, band, drain
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.speed import behind
from evenkeel.assignors.timeline.draws import draws
from evenkeel.assignors.timeline.now import now
from evenkeel.assignors.timeline.verdicts import OK, VERDICTS
from tests.brokers.drain.readers import Readers
from tests.brokers.drain.run import CAPACITY, NAMES, history, written

SLOW_RATE = 2.0
_MOST_SLOTS = 160
_MEMBER = 1


class SlowMember(NamedTuple):
    """Seconds after the member became slow: when it was first named, its verdict then, and when its
    group was first told never to drain.

    `before`: the band until then; `others_named`: other members that are not OK.
    """

    named_after: float
    verdict: str
    others_named: int
    never_after: float
    before: Band


def slow_member(bootstrap: str, topic: str) -> SlowMember:
    """Let one member read fewer records than come, and watch until its group never drains."""
    with written(bootstrap, topic), Readers(bootstrap, topic, NAMES, CAPACITY) as readers:
        slots = history(bootstrap, topic, readers)
        before, since = _band(slots.series()), slots.read[-1].time
        readers.change(NAMES[_MEMBER], SLOW_RATE)
        named_after, verdict, others = None, "", 0
        for _ in range(_MOST_SLOTS):
            slots.next()
            series = slots.series()
            found = now(series)
            named = [row for row in range(len(NAMES)) if found.member_verdict(row) != OK]
            others += len(set(named) - {_MEMBER})
            if _MEMBER in named and named_after is None:
                named_after, verdict = (
                    series.time[-1] - since,
                    VERDICTS[found.member_verdict(_MEMBER)],
                )
            if np.isinf(_band(series).middle):
                return SlowMember(named_after, verdict, others, series.time[-1] - since, before)
    raise TimeoutError(f"{NAMES[_MEMBER]}: no end of the drain was told after {_MOST_SLOTS} slots")


def _band(series: Series) -> Band:
    drawn = draws(series, np.random.default_rng(0))
    lag = behind(series.lag[-1], drawn.on_the_way)
    return band(
        drain(
            lag, drawn.in_rate, series.owner[-1], drawn.busy_rate, drawn.spread, drawn.proven
        ).group
    )
