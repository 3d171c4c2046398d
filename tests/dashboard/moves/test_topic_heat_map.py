"""Lag by member and topic."""

import numpy as np

from evenkeel.dashboard.moves.holdings import ADDED, KEPT, REVOKED, Holdings
from evenkeel.dashboard.moves.topic_heat_map import MOST_TOPICS, lag_by_topic, topic_heat_map


def columns(*rows):
    return Holdings(*(np.array(column) for column in zip(*rows, strict=True)))


def test_what_moves_counts_for_one_before_and_for_the_other_after():
    held = columns(
        (0, 0, 0, KEPT, 5.0),
        (0, 1, 0, REVOKED, 7.0),
        (1, 1, 0, ADDED, 7.0),
        (1, 0, 1, KEPT, np.nan),
    )

    info = lag_by_topic(held, ["a", "b"], ["t0", "t1"], np.array([0, 1]))

    assert (info.rows, info.topics) == (["a", "b"], ["t1", "t0"])
    assert np.nan_to_num(info.before, nan=-1).tolist() == [[7, 5], [0, -1]]
    assert np.nan_to_num(info.after, nan=-1).tolist() == [[0, 5], [7, -1]]


def test_members_beyond_the_worst_15_share_rows_that_show_their_mean():
    members = np.arange(50)
    held = Holdings(
        members,
        np.zeros(50, dtype=int),
        members,
        np.full(50, KEPT),
        np.where(members < 15, 100.0, 2.0 * (members % 2)),
    )

    info = lag_by_topic(held, [f"m{member}" for member in members], ["t0"], members)

    assert info.rows[13:] == ["m13", "m14", "16–30", "31–50"]
    assert info.before[:, 0].tolist() == [100.0] * 15 + [16 / 15, 1.0]


def test_topics_beyond_twelve_are_one_column():
    topics = [f"t{number}" for number in range(20)]
    held = Holdings(
        np.zeros(20, dtype=int),
        np.arange(20),
        np.zeros(20, dtype=int),
        np.full(20, KEPT),
        np.arange(20.0),
    )

    info = lag_by_topic(held, ["a"], topics, np.array([0]))

    assert len(info.topics) == MOST_TOPICS + 1
    assert (info.topics[0], info.topics[-1]) == ("t19", "8 others")
    assert info.before.sum() == sum(range(20))


def test_the_figure_shows_both_assignments_on_one_scale():
    held = columns((0, 0, 0, REVOKED, 16.0), (1, 0, 0, ADDED, 16.0))

    figure = topic_heat_map(held, ["a", "b"], ["t0"], np.array([0, 1]), ("current", "lag"))

    before, after = figure.data
    assert (before.name, after.name) == ("current", "lag")
    assert (before.z[0][0], after.z[1][0]) == (4.0, 4.0)
    assert figure.layout.coloraxis.cmax == 4.0


def test_a_cell_of_unknown_lag_has_a_fill_of_its_own_and_a_dash():
    held = columns((0, 0, 0, KEPT, np.nan), (1, 0, 1, KEPT, 16.0), (1, 0, 2, KEPT, np.nan))

    figure = topic_heat_map(held, ["a", "b"], ["t0"], np.array([0, 1]), ("current", "lag"))

    before, unknown = figure.data[:2]
    assert np.isnan(before.z).tolist() == [[True], [False]]
    assert np.isnan(unknown.z).tolist() == [[False], [True]]
    assert unknown.name == "lag unknown"
    assert unknown.customdata[0][0] == "a, t0<br>current: lag –"


def test_topic_names_stand_upright_where_they_would_run_into_each_other():
    many = Holdings(
        np.zeros(20, dtype=int),
        np.arange(20),
        np.zeros(20, dtype=int),
        np.full(20, KEPT),
        np.arange(20.0),
    )
    one = columns((0, 0, 0, KEPT, 16.0))

    topics = [f"com.acme.orders.events-{number:03d}" for number in range(20)]
    crowded = topic_heat_map(many, ["a"], topics, np.array([0]), ("current", "lag"))
    alone = topic_heat_map(one, ["a"], ["orders"], np.array([0]), ("current", "lag"))

    assert (crowded.layout.xaxis.tickangle, alone.layout.xaxis.tickangle) == (-90, 0)
    # `…events-019` upright is 67 pixels high, a line of names 20.
    assert crowded.layout.margin.t - alone.layout.margin.t > 45


def test_a_group_in_which_nothing_was_owned_before_is_drawn():
    held = columns((0, 0, 0, ADDED, np.nan), (1, 0, 1, ADDED, 4.0))

    info = lag_by_topic(held, ["a", "b"], ["t0"], np.array([0, 1]))

    assert info.before.tolist() == [[0], [0]]
    assert np.nan_to_num(info.after, nan=-1).tolist() == [[-1], [4]]
