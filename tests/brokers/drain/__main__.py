"""When a group is drained: predicted from its first seconds, and seen, on a real broker.

python -m tests.brokers.drain --runs 5

Three consumers read at a limited rate under `range`, four of twelve partitions have most of the
lag, records keep coming. Half of the runs go on as they are; in the other half the consumers are
stopped and started anew with `sticky`, after it was told when that would be drained. Offsets and
owners are read four times a second, 40 times before the prediction. Last, one member becomes slow.
"""

import argparse

import numpy as np

from tests.brokers.broker import Brokers
from tests.brokers.drain.run import SLOT_SECONDS, Run, one_run
from tests.brokers.drain.slow_member import SLOW_RATE, SlowMember, slow_member

_SETTINGS = {"group.initial.rebalance.delay.ms": "2000"}


def main() -> None:
    """Print a line for each run, then how good the predictions were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="of each assignor")
    parser.add_argument("--slow", type=int, default=1, help="runs in which a member becomes slow")
    options, runs = parser.parse_args(), []
    with Brokers(settings=_SETTINGS) as broker:
        for number in range(options.runs):
            for assignor in ("range", "sticky"):
                runs.append(one_run(broker.bootstrap(), f"{assignor}-{number}", assignor))
                print(_line(runs[-1]), flush=True)
        for number in range(options.slow):
            print(_slow_line(slow_member(broker.bootstrap(), f"slow-{number}")), flush=True)
    if runs:
        print(_summary(runs))


def _line(one: Run) -> str:
    low, middle, high = one.predicted
    switch = "" if one.assignor == "range" else f", after a switch of {one.pause:.1f} s"
    owners = "" if one.owners_as_told else "; other owners than told"
    return (
        f"{one.assignor}: predicted {low:.1f} to {high:.1f} s, middle {middle:.1f} s; seen"
        f" {one.seen:.1f} s{switch}{owners}"
    )


def _slow_line(one: SlowMember) -> str:
    named = (
        f"named {_after(one.named_after)} after it read {SLOW_RATE:.0f} records/s, as {one.verdict}"
        if one.named_after
        else "not named"
    )
    drains = (
        f"drain of the group {one.before.middle:.1f} s before, never {_after(one.never_after)}"
        " after"
    )
    return f"slow member: {named}; findings about others {one.others_named}; {drains}"


def _after(seconds: float) -> str:
    return f"{seconds:.1f} s ({seconds / SLOT_SECONDS:.0f} slots)"


def _summary(runs: list[Run]) -> str:
    inside = sum(one.predicted.low <= one.seen <= one.predicted.high for one in runs)
    errors = np.array([(one.predicted.middle - one.seen) / one.seen for one in runs])
    early, size = np.count_nonzero(errors < 0), np.abs(errors)
    width = np.median(
        [(one.predicted.high - one.predicted.low) / one.predicted.middle for one in runs]
    )
    off = np.abs(np.concatenate([one.time_lag_errors for one in runs]))
    return (
        f"{inside} of {len(runs)} inside the band, {early} too early; error of its middle: median"
        f" {np.median(size):.1%}, largest {size.max():.1%}; width of the band / middle: median"
        f" {width:.0%}\ninterpolated time lag against timestamps of records: error median"
        f" {np.median(off):.2f} s, 95 % {np.percentile(off, 95):.2f} s"
    )


if __name__ == "__main__":
    main()
