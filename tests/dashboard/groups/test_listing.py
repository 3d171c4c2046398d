"""Which groups a table shows: search, filters, order, page, and those without lag behind the
others.
"""

import pyarrow as pa

from evenkeel.dashboard.groups.listing import PAGE, Choice, listing


def _groups(lags, state="Stable"):
    names = [f"Group-{number:03}" for number in range(len(lags))]
    return pa.table(
        {
            "group_id": names,
            "lag": lags,
            "unknown_lag_count": [0] * len(lags),
            "state": [state] * len(lags),
        }
    )


def _names(found):
    return [name.removeprefix("Group-") for name in found.rows["group_id"].to_pylist()]


def test_groups_without_lag_are_counted_and_not_listed_until_they_are_asked_for():
    groups = _groups([9, 5, 0, 0])

    folded, opened = listing(groups, Choice()), listing(groups, Choice(shows_quiet=True))

    assert (_names(folded), folded.quiet.num_rows, folded.fold_at) == (["000", "001"], 2, 2)
    assert (_names(opened), opened.fold_at) == (["000", "001", "002", "003"], 2)


def test_a_search_finds_groups_without_lag_in_any_case():
    found = listing(_groups([9, 0, 0]), Choice(search="group-001"))

    assert (_names(found), found.shows_quiet) == (["001"], True)


def test_a_search_finds_a_group_of_a_cluster_by_topic_member_client_and_host():
    groups = _groups([9, 5, 1]).append_column(
        "names", pa.array(["orders\npay-1-0f3c\npay\n/10.4.1.17", "clicks", None], pa.string())
    )

    for text in ("ORDERS", "pay-1", "10.4.1.17"):
        assert _names(listing(groups, Choice(search=text))) == ["000"]
    assert _names(listing(groups, Choice(search="group-002"))) == ["002"]
    assert _names(listing(groups, Choice())) == ["000", "001", "002"]
    assert _names(listing(groups, Choice(search="nowhere"))) == []


def test_a_page_beyond_the_last_is_the_last_and_the_fold_stands_before_the_first_group_without_lag():
    groups = _groups([1] * (PAGE + 2) + [0] * PAGE)

    second, last = (listing(groups, Choice(shows_quiet=True, page=page)) for page in (2, 99))

    assert (second.first, second.fold_at, second.page_count) == (PAGE, 2, 3)
    assert (last.page, last.rows.num_rows, last.fold_at) == (3, 2, 0)


def test_a_sort_keeps_groups_without_lag_behind_and_unknown_values_last_both_ways():
    groups = _groups([9, 5, None, 0])

    rising, falling = (
        listing(groups, Choice(sort=sort, shows_quiet=True), ("lag",)) for sort in ("lag", "-lag")
    )

    assert _names(rising) == ["001", "000", "002", "003"]
    assert _names(falling) == ["000", "001", "002", "003"]


def test_a_state_and_a_type_leave_the_groups_that_have_them():
    groups = pa.concat_tables([_groups([9]), _groups([5], "Empty")]).append_column(
        "group_type", pa.array(["classic", "share"])
    )

    assert listing(groups, Choice(state="Empty")).rows["lag"].to_pylist() == [5]
    assert listing(groups, Choice(group_type="classic")).rows["lag"].to_pylist() == [9]
    assert listing(groups, Choice(state="Dead")).rows.num_rows == 0
