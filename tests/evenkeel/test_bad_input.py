"""Whatever a program hands over, the answer is a result or an `evenkeel.Error`: no other error, and
no number for what is unknown.
"""

import math
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evenkeel
from evenkeel.data.scenarios.edits import EDITS

GROUP = evenkeel.group(
    {"t": 3, "u": 1},
    {"a": ["t"], "b": ["t", "u"]},
    owned={"a": {"t": [0, 1]}, "b": {"t": [2]}},
    lag={("t", 0): 5},
)
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.sampled_from(["a", "b", "t", "u", "*", "", "x\0", "\ud800", "[", "999"])
    | st.text(max_size=4)
    | st.binary(max_size=4)
    | st.just(object())
    | st.sampled_from(
        [np.int64(3), np.float64("nan"), pd.NA, pd.NaT, Path("nowhere"), set(), np.arange(3)]
    )
)
ANY = st.recursive(
    PLAIN,
    lambda some: (
        st.lists(some, max_size=3)
        | st.dictionaries(PLAIN.filter(lambda one: one.__hash__), some, max_size=3)
    ),
    max_leaves=5,
)
LITTLE = settings(max_examples=60, deadline=None)
LISTING = "topic,partition,lag\nt,0,1\n"
GOOD_EDITS = {
    "add_members": ({"count": 1, "like": "a"}, "1 member joins, like a"),
    "add_topic": ({"name": "v", "partitions": 2}, "v appears with 2 partitions"),
    "advance": ({"seconds": 60}, "1 minute passes"),
    "remove_members": ({"member_ids": ["b"]}, "b stops"),
    "remove_topic": ({"name": "u"}, "u is deleted"),
    "restart_members": ({"member_ids": ["a"]}, "a restarts"),
    "scale_lag": ({"topic": "t", "factor": 2}, "lag of t × 2"),
    "set_instance_id": ({"member_id": "a", "instance_id": "slot"}, "a becomes static, slot"),
    "set_lag": ({"topic": "u", "partition": 0, "lag": 7}, "u-0 lags 7 records"),
    "set_owners": (
        {"owners": {"a": {"t": [0]}, "b": {"t": [1, 2]}}},
        "owners of 3 partitions as planned",
    ),
    "set_partition_count": ({"topic": "t", "count": 4}, "t grows to 4 partitions"),
    "set_rack": ({"member_ids": ["a"], "rack": "r"}, "a in rack r"),
    "set_subscription": ({"member_ids": ["a"], "topics": ["u"]}, "a subscribes to u"),
}
"""Values that each edit takes, and what it says of itself."""


def edited(op, values):
    """Edit the group; member ids are arguments of their own."""
    many = values.get("member_ids", [])
    others = {name: value for name, value in values.items() if name != "member_ids"}
    return getattr(GROUP, op)(*(many if isinstance(many, list) else [many]), **others)


def answers(ask):
    """Call it; an `evenkeel.Error` with a sentence of one line is an answer too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return ask()
    except evenkeel.Error as error:
        assert str(error).strip()
        return None


@pytest.mark.parametrize("op", EDITS)
def test_an_edit_takes_good_values(op):
    values, sentence = GOOD_EDITS[op]

    assert edited(op, values).what == [sentence]


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (
            lambda: [
                group.lag
                for group in evenkeel.read(LISTING, columns={"lag": "lag"}, numbers="1,234.00")
            ],
            [1],
        ),
        (lambda: evenkeel.group({"t": 2}, {"a": ["t"]}, {"a": {"t": [0]}}, {("t", 0): 3}).lag, 3),
        (lambda: GROUP.compare("lag")["lag"]["max_partitions"], 3),
        (
            lambda: (
                GROUP.with_settings(client="librdkafka", kafka_version="4.1.0")
                .compare("range")
                .assignors
            ),
            ("current", "range"),
        ),
        (lambda: GROUP.with_settings(jdk=17).compare("range").assignors, ("current", "range")),
        (lambda: GROUP.then("later").what, ["rebalance as it is", "later"]),
        (lambda: evenkeel.read(GROUP.to_dict()).group().member_ids, ("a", "b")),
        (lambda: GROUP.scenario("later").to_dict()["name"], "later"),
    ],
)
def test_good_values_have_their_answer(ask, expected):
    assert ask() == expected


@LITTLE
@given(st.lists(ANY, max_size=2), ANY, ANY)
def test_read_reads_or_refuses_with_a_sentence(sources, columns, numbers):
    found = answers(lambda: evenkeel.read(*sources))

    assert found is None or found.groups is not None
    answers(lambda: evenkeel.read(LISTING, columns=columns, numbers=numbers))


@LITTLE
@given(ANY, ANY, ANY, ANY)
@example({"a": np.arange(3)}, None, None, {"a": []})
@example({"a": pd.NA}, None, None, {"a": []})
@example({"t": 2}, {"a": ["t"]}, None, None)
def test_group_makes_a_group_or_refuses_with_a_sentence(topics, members, owned, lag):
    answers(lambda: evenkeel.group(topics, members, owned, lag))
    answers(lambda: evenkeel.group({"t": 2}, ["a"], owned, lag))
    answers(lambda: evenkeel.group({"t": 2}, members))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_an_edit_edits_or_refuses_with_a_sentence(data):
    op = data.draw(st.sampled_from(sorted(EDITS)))
    fields = [field for field in EDITS[op].__struct_fields__ if field != "off"]
    values = {field: data.draw(ANY, field) for field in fields}

    group = answers(lambda: edited(op, values))

    if group is not None and len(group.member_ids) < 50:
        answers(lambda: group.compare("lag", "uniform").to_dict())
        assert group.scenario().to_json()


@settings(max_examples=30, deadline=None)
@given(ANY, ANY)
@example(pd.NA, None)
def test_names_are_there_or_refused_with_a_sentence(name, value):
    table = GROUP.compare("lag")
    for ask in (
        lambda: GROUP.compare(name),
        lambda: table[name],
        lambda: table["lag"][name],
        lambda: GROUP.then(name),
        lambda: GROUP.with_settings(client=name, kafka_version=value),
        lambda: GROUP.with_settings(jdk=name).compare("range"),
        lambda: evenkeel.read(GROUP.to_dict()).group(name),
        lambda: evenkeel.connect(name),
        lambda: evenkeel.application(GROUP.to_dict()),
        lambda: GROUP.scenario(name).to_json(),
    ):
        answers(ask)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["t", "u", None, "", "a\nb", 'a"b', "–"]),
            st.sampled_from([0, 1, 2.0, -1, None, "x", 2**40]),
            st.sampled_from(
                [0, 7, 7.0, float("nan"), None, "–", "", float("inf"), 2**63, True, 0.5]
            ),
            st.sampled_from(["m", None, "n"]),
        ),
        max_size=4,
    ),
    st.permutations(["topic", "partition", "lag", "member_id"]),
    st.booleans(),
)
@example([("t", 0, 7, "m")], ["topic", "partition", "lag", "member_id"], False)
def test_a_frame_gives_only_lags_that_it_holds(rows, names, is_object):
    frame = pd.DataFrame(
        rows,
        columns=["topic", "partition", "lag", "member_id"],
        dtype=object if is_object else None,
    )

    found = answers(lambda: evenkeel.read(frame[names]))

    held = {int(lag) for *_, lag, _ in rows if isinstance(lag, int | float) and math.isfinite(lag)}
    read = {row["lag"] for group in found or () for row in group.partitions()}
    assert read <= held | {None}
    assert read == {7} or rows != [("t", 0, 7, "m")]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: evenkeel.read(), "nothing to read, expected a path, text, bytes, a DataFrame"),
        (lambda: evenkeel.read("nowhere.txt"), "nowhere.txt: no such file or folder"),
        (lambda: evenkeel.read(7), "source 1: found int, expected a path, text"),
        (lambda: evenkeel.read(pd.DataFrame()), "table: a frame with 0 columns and no rows"),
        (
            lambda: evenkeel.read({"format": "evenkeel.group/1", "topics": 3}),
            r"document line 1: \$\.topics: found 3, expected array or null",
        ),
        (lambda: evenkeel.read(LISTING, numbers="1x"), 'numbers: found "1x", expected one of'),
        (
            lambda: evenkeel.read(LISTING, columns={"lags": "x"}),
            "'lags' is not a column, expected one of lag",
        ),
        (
            lambda: evenkeel.connect("nowhere"),
            r'no cluster "nowhere": the configuration has no cluster; expected \[clusters\.NAME\]',
        ),
        (
            lambda: GROUP.compare("lagg"),
            'assignor: found "lagg", expected one of range, roundrobin',
        ),
        (
            lambda: GROUP.compare()["lagg"],
            'no assignor "lagg" in this comparison, expected one of current',
        ),
        (
            lambda: GROUP.remove_members("z"),
            r'steps\[0\].edits\[0\].member_ids\[0\]: no member "z"',
        ),
        (
            lambda: GROUP.remove_members(),
            "remove_members: member_ids: none is named, expected at least one",
        ),
        (lambda: evenkeel.read("x" * 5000), 'source 1: found one line of 5,000 characters, "xxx'),
        (lambda: GROUP.add_members(0), "add_members: count: expected `int` >= 1"),
        (
            lambda: GROUP.set_partition_count("t", 2),
            'count: found 2, expected at least 3: Kafka cannot shrink topic "t"',
        ),
        (
            lambda: GROUP.set_partition_count("t", 10_000_000),
            "expected at most 10,000,000 partitions",
        ),
        (
            lambda: evenkeel.group({"t": 2}, ["a"], lag={("x", 0): 1}),
            'lag: no topic "x", expected one of t',
        ),
        (
            lambda: evenkeel.group({"t": 2}, ["a"], lag={("t", 2): 1}),
            'lag: found partition 2, but topic "t" has 2 partitions',
        ),
        (
            lambda: evenkeel.group({"t": 2}, ["a"], lag={("t", 0): -1}),
            r"partitions\[0\]\.lag: found -1, expected int >= 0",
        ),
        (
            lambda: evenkeel.group({"t": 2}, ["a"], owned={"b": {}}),
            'owned: no member "b", expected one of a',
        ),
        (
            lambda: evenkeel.group({"t": 2}, ["a"]).compare()["lag"].moves(),
            "the current owners are unknown, so the moves are unknown",
        ),
        (lambda: evenkeel.application(GROUP.to_dict()), "this is a consumer group, expected group"),
        (
            lambda: evenkeel.read("topic,partition,lag\nt,0,1\n").group("a\ud800"),
            r"group: found 'a\\ud800', expected a name without the lone surrogate at position 1",
        ),
    ],
)
def test_what_is_refused_is_named_with_what_was_expected(ask, sentence):
    with pytest.raises(evenkeel.Error, match=sentence):
        ask()


def test_a_call_with_other_arguments_is_pythons_own_error():
    with pytest.raises(
        TypeError, match=r"add_members\(\) got an unexpected keyword argument 'number'"
    ):
        GROUP.add_members(1, number=2)
