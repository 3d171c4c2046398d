import json
from datetime import UTC, datetime

from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns import GroupKey
from evenkeel.data.group.document import decode, decode_application
from evenkeel.data.lake import run
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import place_of
from evenkeel.data.scenarios.stored_groups import (
    StoredGroup,
    application_with_measured_rates,
    stored,
    stored_application,
    stored_applications,
)
from evenkeel.data.sources.inputs import read
from tests.generated.small_applications import EXAMPLE_APPLICATION
from tests.generated.small_documents import EXAMPLE


def test_a_stored_application_comes_back_as_the_same_streams_document(tmp_path):
    lake, application = place_of(tmp_path), decode_application(json.dumps(EXAMPLE_APPLICATION))

    batch = stored(application, "wordcount.json", lake)

    assert stored_applications(lake, batch) == [GroupKey("wordcount")]
    assert stored_application(StoredGroup(lake, batch, "wordcount", None, Budget())) == application


def test_a_batch_of_other_groups_has_no_applications(tmp_path):
    lake = place_of(tmp_path)

    batch = stored(decode(json.dumps(EXAMPLE)), "payments.json", lake)

    assert stored_applications(lake, batch) == []
    assert stored_application(StoredGroup(lake, batch, "payments", None, Budget())) is None


def test_rates_are_measured_between_the_two_latest_instants_of_a_batch(tmp_path):
    lake = place_of(tmp_path)
    grown = [
        task | {"end_offset_sum": task["end_offset_sum"] + 3_600}
        for task in EXAMPLE_APPLICATION["tasks"]
        if task["stateful"]
    ]
    later = EXAMPLE_APPLICATION | {
        "taken_at": "2026-11-20T09:00:00Z",
        "tasks": grown,
        "end_offset_rates": None,
    }
    text = "\n".join(json.dumps(one) for one in (EXAMPLE_APPLICATION, later)).encode()
    one = Manifest(
        batch="b",
        ingested_at=datetime(2026, 11, 20, 9, tzinfo=UTC),
        sources=(SourceFile("both.jsonl", "", len(text)),),
    )
    run.store_parsed(read([("both.jsonl", text)]), one, lake)

    found = application_with_measured_rates(StoredGroup(lake, "b", "wordcount", None, Budget()))

    assert found.end_offset_rates == {"0_0": 1.0, "0_1": 1.0}
