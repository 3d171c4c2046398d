"""Names above the panels of a tile grid."""

import numpy as np
import pytest

from evenkeel.dashboard.charts.numbers.tiles import KEPT, Holdings, partition_tiles
from evenkeel.dashboard.charts.parts.panel_names import panel_names


def names_of(sizes: dict[str, int]):
    """Name the panels of one member that owns topics of these sizes."""
    topic = np.repeat(np.arange(len(sizes)), list(sizes.values()))
    partition = np.concatenate([np.arange(size) for size in sizes.values()])
    nobody, kept, no_lag = np.zeros(len(topic), dtype=int), np.full(len(topic), KEPT), np.zeros(len(topic))
    return panel_names(partition_tiles(Holdings(nobody, topic, partition, kept, no_lag), np.array([0])), list(sizes))


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
