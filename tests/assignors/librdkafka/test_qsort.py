"""glibc's merge sort, also of what no comparison orders."""

from hypothesis import given, strategies

from evenkeel.assignors.librdkafka.qsort import merge_sort


def compared(one, other):
    return (one > other) - (one < other)


@given(strategies.lists(strategies.integers(0, 9)))
def test_it_sorts_and_equal_ones_keep_their_order(numbers):
    pairs = list(enumerate(numbers))

    assert merge_sort(pairs, lambda one, other: compared(one[1], other[1])) == sorted(pairs, key=lambda pair: pair[1])


def test_the_halves_of_a_circle_are_merged_as_glibc_merges_them():
    def circle(one, other):
        return 0 if one == other else -1 if (other - one) % 3 == 1 else 1

    # What qsort of glibc 2.36 leaves.
    assert merge_sort([2, 1, 0], circle) == [2, 0, 1]
