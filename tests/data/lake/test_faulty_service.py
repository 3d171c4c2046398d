"""Object storage that fails at any request of a batch, or while it is read: a reader sees a whole
batch or none, and one sentence says why.
"""

from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.errors import PlaceError
from evenkeel.data.group.document import decode
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake import lease, run, service, store
from evenkeel.data.lake.history.history import group_rows
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.sources.document_rows import rows_of
from evenkeel.data.sources.source import START
from tests.data.lake.test_one_process import DOCUMENT
from tests.services.faulty_s3 import answers, cuts_off, hangs_up, loses_the_answer, stalls

FAILED = answers(500, "InternalError", "We encountered an internal error.")
DENIED = answers(403, "AccessDenied", "Access Denied.")
SAID = {
    FAILED: (
        "the service answers 500 Internal Server Error: InternalError: We encountered an internal"
        " error."
    ),
    DENIED: "the service answers 403 Forbidden: AccessDenied: Access Denied.",
    hangs_up: "no answer from ENDPOINT",
    loses_the_answer: "no answer from ENDPOINT",
    cuts_off: "the answer of the service was incomplete",
    stalls: "the answer of the service was incomplete",
}
"""What each fault is called where it goes on."""
NAMES = {
    FAILED: "500",
    DENIED: "403",
    hangs_up: "hangs up",
    loses_the_answer: "loses the answer",
    cuts_off: "cuts off",
    stalls: "stalls",
}


@pytest.fixture
def asked_once(monkeypatch):
    """Ask a service once."""
    monkeypatch.setitem(service._RETRIES, "max_retries", 0)


def stored(lake, batch):
    one = Manifest(
        batch=batch,
        ingested_at=datetime(2026, 11, 20, 8, tzinfo=UTC),
        sources=(SourceFile("payments.json", "", 0),),
    )
    return run.store_parsed(rows_of([(1, decode(DOCUMENT))], "payments.json", START), one, lake)


def whole(lake):
    """Return the batches that a reader sees; each is whole."""
    seen = store.batches(lake)
    for one in seen:
        assert (one.counts, store.groups(lake, one.batch)["lag"].to_pylist()) == (
            Counts(lines=1, rows=1),
            [60],
        )
    return [one.batch for one in seen]


def kept(lake):
    """Return the files that the lake has beside its manifests and what tells its time."""
    return {
        found.key for found in lake.found() if not found.key.startswith(("manifests/", "clock/"))
    }


def from_the(number):
    """Mean every request from a number on."""
    left = iter(range(number))
    return lambda method, path: next(left, None) is None


def only_the(number):
    """Mean one request."""
    left = iter(range(number + 1))
    return lambda method, path: next(left, None) == number


@pytest.mark.usefixtures("asked_once")
@pytest.mark.parametrize(
    ("fault", "meant"),
    [
        (FAILED, from_the),
        (DENIED, only_the),
        (hangs_up, from_the),
        (loses_the_answer, only_the),
        (cuts_off, from_the),
    ],
    ids=lambda one: NAMES.get(one) or one.__name__,
)
def test_whichever_request_of_a_batch_fails_a_reader_sees_it_whole_or_not_at_all(
    faulty_s3, monkeypatch, fault, meant
):
    lake, said, told = faulty_s3.lake(), set(), []
    stored(lake, "first")

    # A batch asks for its lease, writes its files and its manifest, lists what no manifest names,
    # deletes it and ends its lease.
    for number in (*range(14), len(faulty_s3.asked) - 3, len(faulty_s3.asked) - 1):
        with faulty_s3.spoiled(fault, meant(number)):
            try:
                told.append(stored(lake, f"b-{number}").batch)
            except PlaceError as error:
                said.add(error.cause.replace(faulty_s3.endpoint, "ENDPOINT"))

    seen = whole(lake)
    # Of an answer without a body nothing can be cut off but all of it.
    assert SAID[fault] in said
    assert said <= {SAID[fault], SAID[hangs_up]}
    assert {"first", *told} <= set(seen)
    monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-1))
    stored(lake, "next")
    assert whole(lake) == sorted([*seen, "next"], reverse=True)
    assert kept(lake) == {
        file for one in store.batches(lake) for files in one.tables.values() for file in files
    }


@pytest.mark.usefixtures("asked_once")
@pytest.mark.parametrize("fault", SAID, ids=NAMES.get)
@pytest.mark.parametrize("name", ["table", "group_rows"])
def test_a_service_that_fails_during_a_reading_is_one_sentence_without_advice_on_broken_files(
    faulty_s3, fault, name
):
    lake = faulty_s3.lake()
    one = stored(lake, "b")
    read = {
        "table": lambda: store.table(lake, "b", "LAG"),
        "group_rows": lambda: group_rows(lake, "LAG", [one], ["payments"], ["group_id", "lag"]),
    }[name]

    with (
        faulty_s3.spoiled(fault, lambda method, path: "/LAG/" in path),
        pytest.raises(PlaceError) as error,
    ):
        read()

    assert (
        str(error.value).replace(faulty_s3.endpoint, "ENDPOINT")
        == f"{lake}/{one.tables['LAG'][0]}: {SAID[fault]}"
    )
    assert read().num_rows == 3


@pytest.mark.usefixtures("asked_once")
def test_a_service_that_is_back_before_the_cause_was_looked_for_is_no_broken_file(faulty_s3):
    lake = faulty_s3.lake()
    one = stored(lake, "b")

    with faulty_s3.spoiled(FAILED, only_the(1)), pytest.raises(PlaceError) as error:
        store.table(lake, "b", "LAG")

    said = "the read failed a moment ago, but works now; try again"
    assert str(error.value) == f"{lake}/{one.tables['LAG'][0]}: {said}"
    assert store.table(lake, "b", "LAG").num_rows == 3


@pytest.mark.usefixtures("asked_once")
@pytest.mark.parametrize("fault", SAID, ids=NAMES.get)
def test_a_service_that_fails_during_a_listing_hides_batches_only_while_it_fails(faulty_s3, fault):
    lake = faulty_s3.lake()
    stored(lake, "b")

    said = []
    for asked in ("list-type", "b.json"):
        with faulty_s3.spoiled(fault, lambda method, path, asked=asked: asked in path):
            try:
                said += store.stored(lake).broken
            except PlaceError as error:
                said.append(str(error))

    assert [line.replace(faulty_s3.endpoint, "ENDPOINT") for line in said] == [
        f"{lake}/manifests: {SAID[fault]}",
        f"{lake}/manifests/b.json: {SAID[fault]}",
    ]
    assert whole(lake) == ["b"]
