"""A table's key may have an id in it, and an id two underscores, which Streamlit takes for a
delimiter of its own.
"""

from streamlit.testing.v1 import AppTest


def _page():
    from evenkeel.dashboard.parts import table

    for key in ("groups-a__b", "groups-a___b", "groups-a____b"):
        table.show(
            "Groups", "groups", {"columns": [], "rows": []}, key=key, picked=lambda row: None
        )


def test_an_id_with_two_underscores_draws_its_table():
    assert [error.message for error in AppTest.from_function(_page).run(timeout=60).exception] == []
