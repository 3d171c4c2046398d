import json
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.data.group.columns import ApplicationTables, application_from_tables, application_keys
from evenkeel.data.group.document import decode_application
from evenkeel.data.sources import documents as source
from evenkeel.data.sources.inputs import read
from tests.generated.applications import streams_document
from tests.generated.small_applications import EXAMPLE_APPLICATION, changed_application


def tables_of(parsed):
    return ApplicationTables(parsed.tasks, parsed.consumers, parsed.members, parsed.offsets)


def plain(document):
    """The document without null; no tasks and no processes are what a missing key is."""
    return {"tasks": [], "processes": []} | msgspec.to_builtins(document)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=3))
def test_the_rows_of_a_streams_document_are_the_same_document_whatever_stands_beside_it(seeds):
    written = [
        streams_document(Random(seed)) | {"application_id": f"g{place}"}
        for place, seed in enumerate(seeds)
    ]

    parsed = source.parse(
        b"\n".join(json.dumps(one).encode() for one in written), "applications.jsonl"
    )

    assert [key.group_id for key in application_keys(parsed.consumers)] == [
        one["application_id"] for one in written
    ]
    for one in written:
        again = application_from_tables(tables_of(parsed), one["application_id"])
        assert plain(again) == plain(decode_application(json.dumps(one)))


def test_the_example_comes_back_with_its_order_tags_rates_and_settings():
    text = json.dumps(EXAMPLE_APPLICATION)

    again = application_from_tables(
        tables_of(read([("wordcount.json", text.encode())])), "wordcount"
    )

    assert again == decode_application(text)


def test_an_application_without_processes_and_name_comes_back():
    written = {
        "format": "evenkeel.streams/1",
        "tasks": [{"task_id": "0_0", "stateful": True, "input_partitions": {"t": None}}],
    }

    parsed = source.parse(json.dumps(written).encode(), "x.json")

    (key,) = application_keys(parsed.consumers)
    assert (key.group_id, key.source_file) == (None, "x.json")
    assert plain(application_from_tables(tables_of(parsed), *key)) == plain(
        decode_application(json.dumps(written))
    )


def test_the_latest_instant_counts_unless_another_one_is_wanted():
    later = changed_application("taken_at", "2026-11-20T09:00:00Z") | {"processes": []}
    parsed = read(
        [("both.jsonl", f"{json.dumps(EXAMPLE_APPLICATION)}\n{json.dumps(later)}".encode())]
    )
    earlier = decode_application(json.dumps(EXAMPLE_APPLICATION))

    assert application_from_tables(tables_of(parsed), "wordcount") == decode_application(
        json.dumps(later)
    )
    assert application_from_tables(tables_of(parsed), "wordcount", at=earlier.taken_at) == earlier


def test_a_group_that_is_no_application_has_no_streams_document():
    parsed = read(
        [
            (
                "orders.json",
                b'{"format": "evenkeel.group/1", "group_id": "g", "topics": [], "members": []}',
            )
        ]
    )

    assert application_from_tables(tables_of(parsed), "g") is None
    assert application_keys(parsed.consumers) == []
