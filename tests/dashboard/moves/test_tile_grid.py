"""Tiles: who holds what after a change."""

import numpy as np
import pytest
from hypothesis import given, settings

from evenkeel.assignors.compare.balance import lag_at
from evenkeel.assignors.compare.moves import moves_between, owner_pairs
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard import theme
from evenkeel.dashboard.moves.holdings import ADDED, KEPT, REVOKED, Holdings, holdings
from evenkeel.dashboard.moves.tile_grid import (
    narrow_tiles,
    panel_names,
    partition_tiles,
    tile_grid,
    topic_tiles,
)
from tests.assignors.groups import assignment, group
from tests.generated.owners import groups_with_owners

ORDER = np.array([0, 1])


@pytest.fixture
def switched():
    """A keeps t0-0, gives t0-1 to B; t1-0, of unknown lag, goes from nobody to A."""
    snapshot = group({"t0": 2, "t1": 1}, A="t0 t1", B="t0 t1", lag=[100, 40, None])
    return (
        snapshot,
        assignment(snapshot, A="t0-0 t0-1"),
        assignment(snapshot, A="t0-0 t1-0", B="t0-1"),
    )


def held(switched):
    snapshot, before, after = switched
    pairs = owner_pairs(snapshot, before, after)
    return holdings(pairs, lag_at(snapshot, page_lag(snapshot), pairs.topic, pairs.partition))


def spelled(found):
    return sorted(
        zip(
            found.member.tolist(),
            found.topic.tolist(),
            found.partition.tolist(),
            found.kind.tolist(),
            strict=True,
        )
    )


def test_what_moves_is_added_to_one_and_revoked_from_the_other(switched):
    assert spelled(held(switched)) == [
        (0, 0, 0, KEPT),
        (0, 0, 1, REVOKED),
        (0, 1, 0, ADDED),
        (1, 0, 1, ADDED),
    ]


def test_a_topic_has_a_panel_and_a_row_lists_kept_added_revoked(switched):
    tiles = partition_tiles(held(switched), ORDER)

    assert tiles.topic_start == {0: 0.0, 1: 3.0}
    assert tiles.width == 4.0
    assert sorted(
        zip(
            tiles.row.tolist(),
            tiles.start.tolist(),
            tiles.partition.tolist(),
            tiles.kind.tolist(),
            strict=True,
        )
    ) == [
        (0, 0.0, 0, KEPT),
        (0, 1.0, 1, REVOKED),
        (0, 3.0, 0, ADDED),
        (1, 0.0, 1, ADDED),
    ]


def test_rows_follow_the_order_of_the_members(switched):
    tiles = partition_tiles(held(switched), np.array([1, 0]))

    assert sorted(set(zip(tiles.row.tolist(), tiles.kind.tolist(), strict=True))) == [
        (0, ADDED),
        (1, KEPT),
        (1, ADDED),
        (1, REVOKED),
    ]


def test_stacks_are_as_wide_as_they_have_partitions_and_stand_side_by_side(switched):
    tiles = topic_tiles(held(switched), ORDER)

    assert list(
        zip(
            tiles.row.tolist(),
            tiles.start.tolist(),
            tiles.size.tolist(),
            tiles.kind.tolist(),
            strict=True,
        )
    ) == [
        (0, 0.0, 1.0, KEPT),
        (0, 1.0, 1.0, ADDED),
        (0, 2.0, 1.0, REVOKED),
        (1, 0.0, 1.0, ADDED),
    ]


def test_the_figure_outlines_added_hatches_revoked_and_leaves_unknown_lag_without_colour(switched):
    figure = tile_grid(held(switched), ["A", "B"], ["t0", "t1"], ORDER)

    traces = {(trace.name, trace.marker.coloraxis): trace for trace in figure.data}
    assert set(traces) == {
        ("kept", "coloraxis"),
        ("added", "coloraxis"),
        ("added", None),
        ("revoked", None),
    }
    assert traces["kept", "coloraxis"].marker.color.tolist() == [10.0]
    assert traces["added", None].marker.color == theme.SURFACE
    assert traces["added", None].customdata == ("–",)
    assert traces["revoked", None].marker.pattern.shape == "/"
    assert (
        traces["added", "coloraxis"].marker.line.color,
        traces["added", "coloraxis"].marker.line.width,
    ) == (theme.ADDED, 2.6)


def test_a_member_left_with_nothing_is_called_idle():
    snapshot = group({"t0": 1}, A="t0", B="t0", lag=[1])

    figure = tile_grid(
        held((snapshot, assignment(snapshot, A="t0-0"), assignment(snapshot, B="t0-0"))),
        ["A", "B"],
        ["t0"],
        ORDER,
    )

    assert [note.y for note in figure.layout.annotations if note.text == "idle"] == [0]


def test_a_narrow_figure_of_one_topic_calls_only_members_without_any_partition_idle():
    snapshot = group({"t0": 1, "t1": 1}, A="t0 t1", B="t0 t1", C="t0 t1", lag=[1, 500])
    owners = assignment(snapshot, A="t0-0", B="t1-0")

    figure = narrow_tiles(
        held((snapshot, owners, owners)), ["A", "B", "C"], ["t0", "t1"], np.array([0, 1, 2]), 0
    )

    assert [note.y for note in figure.layout.annotations if note.text == "idle"] == [2]
    assert figure.layout.coloraxis.cmax == pytest.approx(500**0.5)


@settings(max_examples=40)
@given(groups_with_owners(2))
def test_tiles_of_a_member_add_up_to_its_moves(case):
    snapshot, (before, after) = case
    found = held((snapshot, before, after))
    moves = moves_between(before, after, snapshot, page_lag(snapshot))

    for kind, load in ((KEPT, moves.retained), (ADDED, moves.added), (REVOKED, moves.revoked)):
        assert (
            np.bincount(found.member[found.kind == kind], minlength=snapshot.member_count).tolist()
            == load.partition_count.tolist()
        )


# Names above the panels of a tile grid.


def names_of(sizes: dict[str, int]):
    """Name the panels of one member that owns topics of these sizes."""
    topic = np.repeat(np.arange(len(sizes)), list(sizes.values()))
    partition = np.concatenate([np.arange(size) for size in sizes.values()])
    nobody, kept, no_lag = (
        np.zeros(len(topic), dtype=int),
        np.full(len(topic), KEPT),
        np.zeros(len(topic)),
    )
    return panel_names(
        partition_tiles(Holdings(nobody, topic, partition, kept, no_lag), np.array([0])),
        list(sizes),
    )


def test_names_with_room_stand_in_a_line_with_the_size_of_their_panel():
    found = names_of({"orders": 12, "payments": 10, "refunds": 3})

    assert [(note["text"], note.get("textangle")) for note in found.notes] == [
        ("<b>orders</b> 12", None),
        ("<b>payments</b> 10", None),
        ("<b>refunds</b> 3", None),
    ]


@pytest.mark.parametrize("count", [8, 23])
def test_names_of_narrow_panels_are_written_upwards_so_that_none_covers_another(count):
    found = names_of({f"com.acme.orders.events-{number:03d}": 1 for number in range(count)})

    assert {note["textangle"] for note in found.notes} == {-90}
    assert found.height > 80


def test_a_name_in_a_narrow_last_panel_ends_with_the_plot():
    found = names_of({"orders": 20, "settlements": 1})

    assert found.notes[-1]["xanchor"] == "right"
    assert found.notes[-1]["x"] == 22
