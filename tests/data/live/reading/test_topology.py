"""Which subtopology a changelog belongs to: by its size and name, by the offset sums that threads
reported, else assumed.
"""

import pytest

from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.reading.topology import Subtopology, changelog_names, end_sums


def topology(**subtopologies) -> dict[int, Subtopology]:
    """Return subtopologies spelled as `s0=("orders", 2, True)`."""
    return {
        int(name[1:]): Subtopology(frozenset([topic]), count, state)
        for name, (topic, count, state) in subtopologies.items()
    }


def changelogs(**sizes: int) -> dict[str, LiveTopic]:
    return {
        f"app-{name}-changelog": LiveTopic("", [[None]] * size, [1] * size)
        for name, size in sizes.items()
    }


def ends(**offsets: list[int]) -> dict[tuple[str, int], int]:
    return {
        (f"app-{name}-changelog", number): end
        for name, some in offsets.items()
        for number, end in enumerate(some)
    }


def test_topics_of_the_application_are_told_from_those_of_one_whose_id_begins_alike():
    names = [
        "app-x-changelog",
        "app-x-repartition",
        "app-two-y-changelog",
        "other-x-changelog",
        "app-changelog",
    ]

    assert changelog_names("app", names, ["app", "app-two", "other"]) == ["app-x-changelog"]


def test_a_changelog_belongs_to_the_only_subtopology_of_its_size():
    found = end_sums(
        topology(s0=("orders", 2, True), s1=("clicks", 1, True)),
        changelogs(a=1, b=2),
        ends(a=[7], b=[10, 20]),
        {},
    )

    assert (found.sums, found.assumed) == ({"1_0": 7, "0_0": 10, "0_1": 20}, frozenset())


def test_changelogs_of_one_subtopology_are_added_up_and_a_stateless_one_has_none():
    found = end_sums(
        topology(s0=("orders", 1, True), s1=("clicks", 1, False)),
        changelogs(a=1, b=1),
        ends(a=[7], b=[10]),
        {},
    )

    assert (found.sums, found.assumed) == ({"0_0": 17}, frozenset())


def test_an_aggregation_is_known_by_the_name_of_its_repartition_topic():
    parts = topology(
        s0=("orders", 1, True),
        s1=("app-KSTREAM-AGGREGATE-STATE-STORE-0000000003-repartition", 1, True),
    )
    name = "KSTREAM-AGGREGATE-STATE-STORE-0000000003"

    found = end_sums(parts, changelogs(a=1, **{name: 1}), ends(a=[7], **{name: [10]}), {})

    # The other changelog is that of the other subtopology, because each stateful one has one.
    assert (found.sums, found.assumed) == ({"0_0": 7, "1_0": 10}, frozenset())


def test_reported_sums_tell_two_changelogs_of_one_size_apart():
    parts = topology(s0=("orders", 1, True), s1=("clicks", 1, True))

    found = end_sums(parts, changelogs(a=1, b=1), ends(a=[7], b=[10]), {"0_0": 9})

    assert (found.sums, found.assumed) == ({"0_0": 10, "1_0": 7}, frozenset())


def test_where_two_changelogs_may_be_each_others_the_nearer_is_taken_and_both_are_assumed():
    parts = topology(s0=("orders", 2, True), s1=("clicks", 2, True))

    found = end_sums(parts, changelogs(a=2, b=2), ends(a=[7, 5], b=[10, 5]), {"1_0": 6})

    assert (found.sums, found.assumed) == (
        {"0_0": 10, "0_1": 5, "1_0": 7, "1_1": 5},
        {"0_0", "1_0"},
    )


@pytest.mark.parametrize(("sizes", "count"), [({}, 1), ({"a": 3}, 1)])
def test_without_a_changelog_that_fits_no_end_is_known(sizes, count):
    assert (
        end_sums(topology(s0=("orders", count, True)), changelogs(**sizes), ends(), {}).sums == {}
    )


def test_an_end_that_cannot_be_read_leaves_its_task_without_a_sum():
    assert end_sums(
        topology(s0=("orders", 2, True)), changelogs(a=2), {("app-a-changelog", 1): 5}, {}
    ).sums == {"0_1": 5}


def test_too_many_ways_to_pair_changelogs_are_not_tried():
    parts = {number: Subtopology(frozenset([f"t{number}"]), 1, True) for number in range(12)}
    names = {f"c{number}": 1 for number in range(12)}

    assert (
        end_sums(parts, changelogs(**names), ends(**{name: [1] for name in names}), {}).sums == {}
    )
