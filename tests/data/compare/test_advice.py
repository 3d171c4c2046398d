"""The advice in many situations, each with its literal sentences."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.advice import GAIN, Needs, Offer, Reason, Situation, gain_of, now_of
from evenkeel.assignors.compare.comparison import CURRENT, compare
from evenkeel.assignors.group.drain import Band
from evenkeel.data.compare.advice import advised, step_advice
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import Document, Leader, Member, Partition, Topic
from evenkeel.data.scenarios.drains import Endless, GroupDrain
from evenkeel.data.scenarios.leaders import facts_by_row
from evenkeel.data.scenarios.run.stored_result import stored_result
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.text.formats import NARROW
from tests.data.scenarios.scenarios import PAYMENTS, member, result


def observed(lags, owners, subscribed="t", used=None, client=None, kind=None, idle=""):
    """Make a group: `lags` of each topic's partitions, None where unknown; `owners`: `{"A": "t-0
    t-1"}`; `idle`: members without any.
    """
    owned = {member_id: {} for member_id in [*owners, *idle]}
    for member_id, tps in owners.items():
        for name, _, number in (tp.rpartition("-") for tp in tps.split()):
            owned[member_id].setdefault(name, []).append(int(number))
    topics = [
        Topic(name=name, partitions=[Partition(lag=lag) for lag in of]) for name, of in lags.items()
    ]
    members = [
        Member(member_id=name, subscribed=subscribed.split(), owned=has, generation=1)
        for name, has in owned.items()
    ]
    document = Document(
        format="evenkeel.group/1",
        group_id="g",
        type=kind,
        assignor=used,
        leader=client and Leader(client=client, certain=True),
        topics=topics,
        members=members,
    )
    return observed_from_document(document)


def said(
    group, only=None, seconds=None, missing=np.nan, client="java", gain=GAIN, stuck=(), even=()
):
    """Return the advice on a group; `only`: names of the assignors that there are; `seconds`: until
    it drains, by name.

    `stuck`: partitions that make no progress with their owner. `even`: members that read about as
    much as comes in.
    """
    names = (
        only.split()
        if only
        else [name for name, one in ASSIGNORS.items() if one.group_type != "share"]
    )
    comparison = compare(group.snapshot, group.current, [ASSIGNORS[name]() for name in names])
    facts = facts_by_row(group, comparison.rows, Settings())
    drains = (
        None
        if seconds is None
        else {
            name: drained(seconds.get(name, seconds[""]), missing, stuck, even)
            for name in [CURRENT, *names]
        }
    )
    return advised(group, comparison, facts, drains, client, gain)


def drained(seconds, missing, stuck=(), even=()):
    """Return one time until the group is drained, infinite for never."""
    end = np.inf if np.isinf(seconds) else np.nan
    lacks = missing if np.isinf(seconds) else 0.0
    return GroupDrain(
        Band(*map(np.float64, (end, seconds, end))),
        lacks,
        Endless(stuck=stuck),
        even,
        missing=lacks,
    )


def large(members, partitions, spread):
    """Make a group whose partitions, of 6,000 records more or less, are dealt out one after the
    other.
    """
    lags = (
        np.random.default_rng(members)
        .integers(6000 - spread, 6000 + spread + 1, partitions)
        .tolist()
    )
    return observed(
        {"t": lags},
        {
            f"m-{one:03}": " ".join(f"t-{tp}" for tp in range(one, partitions, members))
            for one in range(members)
        },
    )


ALL_ON_A = {"A": "t-0 t-1"}
README = observed(
    {"orders": [100_000, 60_000, 50_000]}, {"a": "orders-0 orders-1", "b": "orders-2"}, "orders"
)

SITUATIONS = {
    "worth it": (
        said(observed({"t": [40, 60]}, ALL_ON_A, idle="B"), "range roundrobin"),
        "gain",
        "Worth it: range lowers the worst member's lag from 100 to 60 (−40 %). "
        "It moves 1 of 2 partitions (60 lag), pauses all 2 in 1 round and needs two rolling restarts. "
        "t-1 alone has 60.",
    ),
    "not worth it, and needs a jar": (
        said(README),
        "small_gain",
        "Not worth it: the most that a setting gains is 6 % (roundrobin), for 2 of 3 partitions moved. "
        "lag would reach 110 k (−31 %) with 1 move; it needs a jar, KAFKA-5337.",
    ),
    "another threshold": (
        said(
            observed({"t": [1001, 500, 500, 999]}, {"A": "t-0 t-3", "B": "t-1 t-2"}),
            "range roundrobin sticky",
            gain=0.3,
        ),
        "small_gain",
        "Not worth it: the most that any assignor gains is 25 % (range), for 2 of 4 partitions moved.",
    ),
    "not worth it because of one partition": (
        said(observed({"t": [1000, 4, 3, 2]}, {"A": "t-0 t-1", "B": "t-2 t-3"}), "roundrobin"),
        "small_gain",
        "Not worth it: the most that any assignor gains is less than 1 % (roundrobin), for 2 of 4 partitions moved. "
        "t-0 alone carries 1.0 k of the worst member's 1.0 k.",
    ),
    "30 members, 178 partitions, about the same lag": (
        said(large(30, 178, 400)),
        "small_gain",
        "Not worth it: the most that a setting gains is 1 % (range), for 169 of 178 partitions moved. The lag is spread evenly.",
    ),
    "300 members, 2,200 partitions": (
        said(large(300, 2200, 5900)),
        "already_best",
        "No setting takes lag off the worst member, which has 69.3 k. "
        "lag would reach 44.5 k (−36 %) with 2,192 moves; it needs a jar, KAFKA-5337.",
    ),
    "members of kafka-python have a package": (
        said(
            replace(README, leader=Leader(client="kafka-python", certain=True)),
            client="kafka-python",
        ),
        "small_gain",
        "Not worth it: the most that a setting gains is 6 % (roundrobin), for 2 of 3 partitions moved. "
        "lag would reach 110 k (−31 %) with 1 move; it needs the package evenkeel-assignors, KAFKA-5337.",
    ),
    "client cannot": (
        said(
            replace(README, leader=Leader(client="librdkafka", certain=True)), client="librdkafka"
        ),
        "small_gain",
        "Not worth it: the most that a setting gains is 6 % (roundrobin), for 2 of 3 partitions moved. "
        "lag would reach 110 k (−31 %) with 1 move, but librdkafka cannot run it.",
    ),
    "already best": (
        said(observed({"t": [50, 52]}, {"A": "t-0", "B": "t-1"}), "range roundrobin"),
        "already_best",
        "Already best: the lag is spread evenly, 52 on the worst member.",
    ),
    "evenly spread": (
        said(observed({"t": [25, 25, 26, 26]}, {"A": "t-0 t-1", "B": "t-2 t-3"}), "range"),
        "already_best",
        "Already best: the lag is spread evenly, 52 on the worst member.",
    ),
    "no assignor has less": (
        said(observed({"t": [50, 50, 10, 10]}, {"A": "t-0 t-1", "B": "t-2 t-3"}), "range"),
        "already_best",
        "Already best: no assignor leaves the worst member less than its 100.",
    ),
    "nothing but a jar": (
        said(observed({"t": [50, 50, 10, 10]}, {"A": "t-0 t-1", "B": "t-2 t-3"}), "range lag"),
        "already_best",
        "No setting takes lag off the worst member, which has 100. lag would reach 60 (−40 %) with 2 moves; it needs a jar, KAFKA-5337.",
    ),
    "hot partition": (
        said(
            observed(
                {"orders": [1, 2, 3, 141_000]},
                {"A": "orders-0 orders-1 orders-2", "B": "orders-3"},
                "orders",
            ),
            "range",
        ),
        "hot_partition",
        "No assignor helps: orders-3 alone carries 141 k; split its key or add partitions.",
    ),
    "even but too slow": (
        said(
            observed({"t": [25, 25, 26, 26]}, {"A": "t-0 t-1", "B": "t-2 t-3"}),
            "range",
            {"": np.inf},
            missing=3.4,
        ),
        "too_slow",
        "No assignor helps: the lag is spread evenly; the group needs more throughput: 3.4 records/s more.",
    ),
    "one member too slow": (
        said(observed({"t": [25, 25]}, {"A": "t-0 t-1"}), "range", {"": np.inf}, missing=12.0),
        "too_slow",
        "No assignor helps: the only member gets every partition; the group needs more throughput: 12.0 records/s more.",
    ),
    "never to an unknown time": (
        said(
            observed({"t": [25, 25, 26, 26]}, {"A": "t-0 t-1", "B": "t-2 t-3"}),
            "range",
            {"": np.inf, "range": np.nan},
            missing=3.4,
        ),
        "already_best",
        "Already best: the lag is spread evenly, 52 on the worst member.",
    ),
    "never to a time": (
        said(
            observed({"t": [40, 60, 5]}, {"A": "t-0 t-1", "B": "t-2"}),
            "roundrobin range",
            {"": np.inf, "roundrobin": 840},
            missing=3.4,
        ),
        "gain",
        "Worth it: roundrobin drains the group in ≈ 14 m where it never does now; the worst member's lag falls from 100 to 60. "
        "It moves 2 of 3 partitions (65 lag), pauses all 3 in 1 round and needs two rolling restarts. "
        "t-1 alone has 60.",
    ),
    "earlier": (
        said(
            observed({"t": [40, 60, 5]}, {"A": "t-0 t-1", "B": "t-2"}),
            "roundrobin",
            {"": 7620, "roundrobin": 3420},
        ),
        "gain",
        "Worth it: roundrobin drains the group in ≈ 57 m instead of ≈ 2h 7m; the worst member's lag falls from 100 to 60. "
        "It moves 2 of 3 partitions (65 lag), pauses all 3 in 1 round and needs two rolling restarts. "
        "t-1 alone has 60.",
    ),
    "less lag, drained later": (
        said(
            observed({"t": [40, 60, 5]}, {"A": "t-0 t-1", "B": "t-2"}),
            "roundrobin",
            {"": 960, "roundrobin": 1200},
        ),
        "already_best",
        "Already best: roundrobin would leave the worst member 60 instead of 100, but the group would drain in ≈ 20 m instead of ≈ 16 m.",
    ),
    "less lag, never drained": (
        said(
            observed({"t": [40, 60, 5]}, {"A": "t-0 t-1", "B": "t-2"}),
            "roundrobin",
            {"": 960, "roundrobin": np.inf},
        ),
        "already_best",
        "Already best: roundrobin would leave the worst member 60 instead of 100, but the group would never drain.",
    ),
    "less lag, perhaps never drained": (
        said(
            observed({"t": [40, 60, 5]}, {"A": "t-0 t-1", "B": "t-2"}),
            "roundrobin",
            {"": 960, "roundrobin": np.nan},
            even=("A",),
        ),
        "already_best",
        "Already best: roundrobin would leave the worst member 60 instead of 100, but the group may never drain.",
    ),
    "less lag, and never drained as now": (
        said(
            observed({"t": [40, 60, 5]}, {"A": "t-0 t-1", "B": "t-2"}),
            "roundrobin",
            {"": np.inf},
            missing=3.4,
        ),
        "gain",
        "Worth it: roundrobin lowers the worst member's lag from 100 to 60 (−40 %). "
        "It moves 2 of 3 partitions (65 lag), pauses all 3 in 1 round and needs two rolling restarts. "
        "t-1 alone has 60. The group still needs more throughput: 3.4 records/s more.",
    ),
    "one gains little, another one drains later": (
        said(
            observed({"t": [1001, 500, 500, 999]}, {"A": "t-0 t-3", "B": "t-1 t-2"}),
            "range sticky",
            {"": 960, "range": 1200},
            gain=0.3,
        ),
        "already_best",
        "Already best: range would leave the worst member 1.5 k instead of 2.0 k, but the group would drain in ≈ 20 m instead of ≈ 16 m.",
    ),
    "drained only by a jar": (
        said(
            observed({"t": [50, 50, 10, 10]}, {"A": "t-0 t-1", "B": "t-2 t-3"}),
            "range lag",
            {"": np.inf, "lag": 3420},
            missing=3.4,
        ),
        "too_slow",
        "No setting helps: under none is the group ever drained. "
        "lag would drain the group in ≈ 57 m (now never) with 2 moves; it needs a jar, KAFKA-5337.",
    ),
    "a partition that makes no progress": (
        said(
            observed({"t": [50, 20]}, {"A": "t-0", "B": "t-1"}),
            "range",
            {"": np.inf},
            missing=3.4,
            stuck=("t-0",),
        ),
        "too_slow",
        "No switch mends this: t-0 makes no progress with its owner; look at that member first.",
    ),
    "partitions that make no progress": (
        said(
            observed({"t": [50, 20]}, {"A": "t-0 t-1"}),
            "range",
            {"": np.inf},
            missing=3.4,
            stuck=("t-0", "t-1"),
        ),
        "too_slow",
        "No switch mends this: t-0 and 1 more make no progress with their owners; look at them first.",
    ),
    "a cheaper equal row": (
        said(observed({"t": [40, 60]}, ALL_ON_A, idle="B"), "range roundrobin cooperative-sticky"),
        "gain",
        "Worth it: cooperative-sticky lowers the worst member's lag from 100 to 60 (−40 %). "
        "It moves 1 of 2 partitions (60 lag), pauses 1 in 2 rounds and needs two rolling restarts. "
        "t-1 alone has 60.",
    ),
    "the next rebalance does it": (
        said(
            observed({"t": [40, 60]}, ALL_ON_A, used="range", kind="classic", idle="B"),
            "range cooperative-sticky",
        ),
        "gain",
        "Worth it: the next rebalance under range, which the group uses, lowers the worst member's lag from 100 to 60 (−40 %). "
        "It moves 1 of 2 partitions (60 lag) and pauses all 2 in 1 round. t-1 alone has 60.",
    ),
    "idle members that take over lag": (
        said(
            observed({"t": [50], "u": [50, 40]}, {"A": "t-0 u-0", "B": "u-1"}, "t u", idle="C"),
            "roundrobin",
        ),
        "gain",
        "Worth it: roundrobin lowers the worst member's lag from 100 to 50 (−50 %). "
        "It moves 2 of 3 partitions (90 lag), pauses all 3 in 1 round and needs two rolling restarts. "
        "t-0 alone has 50.",
    ),
    "idle members, and the worst one keeps its lag": (
        said(
            observed({"t": [60], "u": [20, 20]}, {"A": "t-0", "B": "u-0 u-1"}, "t u", idle="C"),
            "roundrobin",
        ),
        "gain",
        "Worth it: roundrobin gives 1 idle member 20 % of the lag; the worst member has 60. "
        "It moves 1 of 3 partitions (20 lag), pauses all 3 in 1 round and needs two rolling restarts. "
        "t-0 alone has 60.",
    ),
    "idle members that take over nothing": (
        said(
            observed({"t": [60], "u": [20, 0]}, {"A": "t-0", "B": "u-0 u-1"}, "t u", idle="C"),
            "roundrobin",
        ),
        "hot_partition",
        "No assignor helps: t-0 alone carries 60; split its key or add partitions.",
    ),
    "an idle member that changes places with the worst one": (
        said(observed({"t": [1000]}, {"B": "t-0"}, idle="A"), "range"),
        "hot_partition",
        "No assignor helps: t-0 alone carries 1.0 k; split its key or add partitions.",
    ),
    "unknown lag": (
        said(observed({"t": [40, None]}, ALL_ON_A, idle="B"), "range"),
        "unknown",
        "Whether a switch helps is unknown: some lags are unknown. Under range the worst member has ≥ 40; now it has at least 40.",
    ),
    "some lags unknown, and one assignor keeps all": (
        said(
            observed({"t": [100, None, 5, 6]}, {"A": "t-0 t-1", "B": "t-2 t-3"}),
            "sticky roundrobin",
        ),
        "unknown",
        "Whether a switch helps is unknown: some lags are unknown. Under roundrobin the worst member has ≥ 105; now it has at least 100.",
    ),
    "more members than partitions": (
        said(
            observed(
                {"t": [100, 100, 100, 100]},
                {"A": "t-0", "B": "t-1", "C": "t-2", "D": "t-3"},
                idle="E",
            ),
            "range",
        ),
        "already_best",
        "Already best: the lag is spread evenly, 100 on the worst member.",
    ),
    "every lag unknown": (
        said(observed({"t": [None, None]}, ALL_ON_A, idle="B"), "range"),
        "unknown",
        "Whether a switch helps is unknown: every lag is unknown.",
    ),
    "at least, where only the lag now is unknown": (
        said(observed({"t": [40, 60], "gone": [None]}, {"A": "t-0 t-1 gone-0"}, idle="B"), "range"),
        "gain",
        "Worth it: range lowers the worst member's lag from at least 100 to 60 (at least −40 %). "
        "It moves 1 of 3 partitions (60 lag), pauses all 3 in 1 round and needs two rolling restarts. "
        "t-1 alone has 60.",
    ),
    "at rest": (
        said(observed({"t": [0, 0]}, ALL_ON_A, idle="B")),
        "at_rest",
        "No switch is needed: no partition lags.",
    ),
    "keeps up": (
        said(observed({"t": [4, 6]}, ALL_ON_A, idle="B"), "range", {"": 0.0}),
        "at_rest",
        "No switch is needed: the group keeps up.",
    ),
    "unknown owners": (
        said(replace(observed({"t": [40, 60]}, {"A": "t-0", "B": "t-1"}), current=None), "range"),
        "unknown",
        "Whether a switch helps is unknown: the current owners are unknown. Under range the worst member has 60, the least of all.",
    ),
    "partitions that no member reads": (
        said(observed({"t": [10, 900, 5, 300]}, {"A": "t-0", "B": "t-2"}), "sticky"),
        "gain",
        "Worth it: sticky gives t-1 and 1 more owners: no member reads them now, and they lag 1.2 k; the worst member then has 910. "
        "It moves 0 of 4 partitions, pauses 2 in 1 round and needs two rolling restarts.",
    ),
    "a partition that no member reads, with less lag than the worst member": (
        said(
            observed(
                {"t": [1000, 500, 800, 700]},
                {"A": "t-0", "B": "t-1 t-3"},
                used="range",
                kind="classic",
            ),
            "range roundrobin",
        ),
        "gain",
        "Worth it: the next rebalance under range, which the group uses, gives t-2 an owner: no member reads it now, and it lags 800; "
        "the worst member then has 1.5 k. It moves 1 of 4 partitions (500 lag) and pauses 3 in 1 round.",
    ),
    "the next rebalance reads it": (
        said(
            observed({"t": [10, 900, 5]}, {"A": "t-0", "B": "t-2"}, used="sticky", kind="classic"),
            "sticky",
        ),
        "gain",
        "Worth it: the next rebalance under sticky, which the group uses, gives t-1 an owner: no member reads it now, and it lags 900; "
        "the worst member then has 910. It moves 0 of 3 partitions and pauses 2 in 1 round.",
    ),
    "one valid outcome": (
        said(
            observed(
                {"t": [100], "u": [60, 40]},
                {"A": "t-0 u-0 u-1"},
                "t u",
                kind="consumer",
                used="uniform",
                idle="B",
            ),
            "uniform",
        ),
        "gain",
        "Worth it: the next rebalance under uniform, which the group uses, lowers the worst member's lag from 200 to 160 (−20 %). "
        "It moves 1 of 3 partitions (40 lag) and pauses 1 in 2 rounds. "
        "This is one valid outcome of several: uniform's answer depends on unknown inputs, topic ids.",
    ),
    "the consumer protocol": (
        said(
            observed(
                {"t": [50, 50, 10, 10]},
                {"A": "t-0 t-1", "B": "t-2 t-3"},
                kind="consumer",
                used="broker-range",
            ),
            "broker-range lag",
        ),
        "already_best",
        "Already best: no assignor of the consumer protocol leaves the worst member less than its 100.",
    ),
    "another client's restarts": (
        said(
            observed({"t": [40, 60]}, ALL_ON_A, client="sarama", idle="B"), "range", client="sarama"
        ),
        "gain",
        "Worth it: range lowers the worst member's lag from 100 to 60 (−40 %). "
        "It moves 1 of 2 partitions (60 lag), pauses all 2 in 1 round and needs restarts of all members. "
        "t-1 alone has 60.",
    ),
    "librdkafka, the assignor in use unknown": (
        said(
            observed({"t": [40, 60]}, ALL_ON_A, client="librdkafka", idle="B"),
            "range",
            client="librdkafka",
        ),
        "gain",
        "Worth it: range lowers the worst member's lag from 100 to 60 (−40 %). "
        "It moves 1 of 2 partitions (60 lag), pauses all 2 in 1 round and needs restarts of all members. "
        "t-1 alone has 60.",
    ),
    "eager to cooperative in librdkafka": (
        said(
            observed(
                {"t": [40, 60]},
                ALL_ON_A,
                used="range",
                kind="classic",
                client="librdkafka",
                idle="B",
            ),
            "cooperative-sticky",
            client="librdkafka",
        ),
        "gain",
        "Worth it: cooperative-sticky lowers the worst member's lag from 100 to 60 (−40 %). "
        "It moves 1 of 2 partitions (60 lag), pauses 1 in 2 rounds and needs all members stopped at the same time. "
        "t-1 alone has 60.",
    ),
    "members that the input does not name": (
        said(replace(observed({"t": [10]}, {}), assumed=("members",))),
        "unknown",
        "Whether a switch helps is unknown: the input names no members.",
    ),
    "no members": (
        said(observed({"t": [10]}, {})),
        "unknown",
        "No consumer is running: the group has no members, so there is nothing to assign.",
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_advice_says_what_an_experienced_colleague_would(situation):
    found, reason, text = SITUATIONS[situation]

    assert (found.words.text, found.advice.reason) == (text, Reason(reason))


@st.composite
def groups(draw):
    """A group of one to four members and up to eight partitions, some of them without owner, some
    of unknown lag.
    """
    names = "ABCD"[: draw(st.integers(1, 4))]
    lags = draw(
        st.lists(
            st.one_of(st.none(), st.integers(0, 5), st.integers(0, 10**6)), min_size=1, max_size=8
        )
    )
    owners = draw(st.lists(st.sampled_from([*names, None]), min_size=len(lags), max_size=len(lags)))
    owned = {
        name: " ".join(f"t-{number}" for number, owner in enumerate(owners) if owner == name)
        for name in names
    }
    used = draw(st.sampled_from([None, "range", "cooperative-sticky"]))
    return observed({"t": lags}, owned, used=used, kind=used and "classic")


@given(groups(), st.sampled_from([0.01, 0.1, 0.5]))
@settings(max_examples=60, deadline=None)
def test_worth_it_means_the_gain_is_there_and_nothing_cheaper_has_it(group, threshold):
    found = said(group, gain=threshold).advice

    own = {
        name: one
        for name, one in offered(group, threshold).items()
        if one.option.needs in (Needs.REBALANCE, Needs.SETTING)
    }
    gains = {name: one.gain for name, one in own.items()}
    if found.worth_it:
        named = own[found.offer.name]
        most = max(gain.least for gain in gains.values())
        near = [one for one in own.values() if one.gain.least >= max(most - 0.02, threshold)]
        assert named.gain.least >= threshold
        assert named in near
        assert (named.option.needs == Needs.REBALANCE, -named.option.price.moved) == max(
            (one.option.needs == Needs.REBALANCE, -one.option.price.moved) for one in near
        )
    elif found.worth_it is False:
        assert all(gain.most < threshold for gain in gains.values())
    else:
        assert found.now is None or any(gain.most >= threshold for gain in gains.values())
    text = said(group, gain=threshold).words.text
    assert text.endswith(".")
    assert not {"nan", "inf", "None", "-0"} & set(text.replace(".", " ").split())
    if found.beyond:
        assert found.beyond.gain.least >= threshold


def offered(group, threshold):
    """Return what each assignor gains, by name, without those that the group never reaches."""
    comparison = compare(
        group.snapshot,
        group.current,
        [one() for one in ASSIGNORS.values() if one.group_type != "share"],
    )
    options = said(group, gain=threshold).options
    if group.current is None:
        return {}
    situation = Situation(group.snapshot, comparison.lag, group.current, comparison.rows[0].balance)
    return {
        option.name: Offer(option, gain_of(now_of(situation), situation, option, threshold))
        for option in options
    }


def test_the_row_that_the_advice_names_is_the_first_candidate_else_the_one_in_use():
    assert said(README).first == "roundrobin"
    assert (
        said(observed({"t": [0, 0]}, {"A": "t-0", "B": "t-1"}, used="sticky", kind="classic")).first
        == "sticky"
    )


@pytest.mark.parametrize(
    ("situation", "worth_it", "assignor", "gain"),
    [
        ("worth it", True, "range", 0.4),
        ("not worth it, and needs a jar", False, "roundrobin", 0.0625),
        ("never to a time", True, "roundrobin", 1.0),
        ("at least, where only the lag now is unknown", True, "range", 0.4),
        ("hot partition", False, None, 0.0),
        ("unknown lag", None, "range", None),
        ("some lags unknown, and one assignor keeps all", None, "roundrobin", None),
        ("no members", None, None, None),
    ],
)
def test_programs_get_the_same_advice(situation, worth_it, assignor, gain):
    found = SITUATIONS[situation][0].document()

    assert (found["worth_it"], found["assignor"], found["gain"]) == (worth_it, assignor, gain)
    assert found["text"] == SITUATIONS[situation][2]


def test_a_group_of_the_broker_is_not_sent_back_to_the_clients():
    group = observed(
        {"t": [100, 60, 50]}, {"A": "t-0 t-1", "B": "t-2"}, kind="consumer", used="uniform"
    )

    assert {option.name for option in said(group).options} == {"uniform", "broker-range"}


def test_a_step_that_moves_nothing_leaves_each_assignor_what_it_gained_before():
    owners = {"pay-a": [0, 1], "pay-b": [2, 3]}
    members = [member(name, {"orders": numbers}) for name, numbers in owners.items()] + [
        member("pay-c")
    ]
    ends = [
        {"begin_offset": 0, "end_offset": end, "committed_offset": 0} for end in (100, 100, 0, 0)
    ]
    group = PAYMENTS | {"topics": [{"name": "orders", "partitions": ends}], "members": members}
    leaves, lags = (
        [{"op": "remove_members", "member_ids": ["pay-c"]}],
        [{"op": "set_lag", "topic": "orders", "partition": 2, "lag": 2}],
    )

    found = [
        step_advice(result(leaves, lags, group=group, assignors=("sticky", "roundrobin")), step)
        for step in (1, 2)
    ]

    # sticky keeps both hundreds with pay-a; roundrobin deals 0 and 2 to pay-a, 1 and 3 to pay-b.
    falls = [
        f"Worth it: roundrobin lowers the worst member's lag from 200 to {after}"
        for after in ("100 (−50 %)", "102 (−49 %)")
    ]
    assert [one.words.text.split(".")[0] for one in found] == falls
    # What it cost in the first step is still its price after the second one.
    assert [one.document()["price"]["moved"] for one in found] == [2, 2]
    assert [sentence for one in found for sentence in one.words.rest if "moves" in sentence] == [
        "It moves 2 of 4 partitions (100 lag), pauses all 4 in 1 round and needs two rolling restarts",
        "It moves 2 partitions over 2 steps (100 lag), pauses 4 in 1 round and needs two rolling restarts",
    ]


def test_a_step_that_causes_no_rebalance_is_advised_by_what_the_next_one_would_give():
    owners = {"pay-a": [0, 1], "pay-b": [2, 3]}
    members = [member(name, {"orders": numbers}) for name, numbers in owners.items()]
    ends = [
        {"begin_offset": 0, "end_offset": end, "committed_offset": 0} for end in (100, 100, 0, 0)
    ]
    group = PAYMENTS | {"topics": [{"name": "orders", "partitions": ends}], "members": members}
    twice = [{"op": "scale_lag", "topic": "orders", "factor": 2}]

    found = result(twice, group=group, assignors=("sticky", "roundrobin", "lag"))
    said = [step_advice(found, 1), step_advice(stored_result(found.scenario, lines_of(found)), 1)]

    # Nobody has moved: roundrobin would deal 0 and 2 to pay-a, 1 and 3 to pay-b.
    assert [one.words.headline.replace(NARROW, " ") for one in said] == [
        "Worth it: roundrobin lowers the worst member's lag from 400 to 200 (−50 %)"
    ] * 2
    assert [one.document()["price"]["moved"] for one in said] == [2, 2]
