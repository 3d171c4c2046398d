"""Rows of the group list: what their lags have changed by."""

from streamlit.testing.v1 import AppTest


def _script():
    from datetime import UTC, datetime

    import pandas as pd

    from dashboard.loading import LiveList
    from dashboard.widgets import group_rows

    def frame(*lags):
        names = ["pays", "partly", "hidden", "new"][: len(lags)]
        rows = [{"group_id": name, "group_type": "classic", "state": "Stable", "assignor": "range", "member_count": 1, "topic_count": 1} for name in names]
        problem = [None, None, "TOPIC_AUTHORIZATION_FAILED", None][: len(lags)]
        return pd.DataFrame(rows).assign(partition_count=[2, 2, None, 2][: len(lags)], lag=lags, max_lag=lags, unknown_lag_count=[0, 1, None, 0][: len(lags)], problem=problem)

    group_rows.show(frame(90, 70, 50, 30), 4, LiveList(frame(100, 60, 40), datetime.now(UTC)))


def test_a_lag_of_which_a_part_is_not_known_and_a_group_that_was_not_there_have_no_change():
    rows = AppTest.from_function(_script).run().dataframe[0].value

    change = rows.set_index("Group")["Lag change"]
    assert change["pays"] == -10
    assert change[["partly", "hidden", "new"]].isna().all()
