from evenkeel.dashboard.names import shown_state


def test_a_state_that_is_not_at_rest_is_shown_as_a_rebalance_under_way():
    assert [shown_state(state).color for state in ("Stable", "Empty", "Dead")] == [
        "green",
        "gray",
        "red",
    ]
    assert [shown_state(state).color for state in ("PreparingRebalance", "Assigning")] == [
        "yellow",
        "yellow",
    ]
    assert (
        shown_state("Reconciling").meaning
        == "A rebalance is in progress; owners may change at any moment."
    )
