"""The one table of the browser."""

import json

from streamlit.testing.v1 import AppTest


def test_one_more_table_is_its_columns_and_rows():
    def page():
        from evenkeel.dashboard.parts import table

        columns = [
            {"label": "Broker", "over": ""},
            {"label": "records", "over": "Lag", "key": "lag", "first": "-"},
        ]
        rows = [{"name": "broker-1", "cells": [{"text": "12", "bar": 0.5}]}]
        table.show(
            "Brokers",
            "steps",
            {"columns": columns, "rows": rows, "sort": "-lag"},
            key="brokers",
            sorted=print,
        )

    app = AppTest.from_function(page).run()

    (drawn,) = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    assert not app.exception
    assert (drawn["label"], drawn["sort"], drawn["rows"][0]["cells"]) == (
        "Brokers",
        "-lag",
        [{"text": "12", "bar": 0.5}],
    )
