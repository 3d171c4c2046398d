"""A store that answers as it should not: each answer ends with a sentence, in time and in
bounds.
"""

import gzip
import json
import re
import resource
import time
import zlib
from datetime import UTC, datetime

import pytest

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.errors import SnapshotError
from evenkeel.data.prometheus import store as stores
from evenkeel.data.prometheus.past import Past
from evenkeel.data.prometheus.query import DAY_MS, pieces, selector
from evenkeel.data.prometheus.store import Store
from tests.brokers.certificates import Certificates
from tests.services.stores import answers_of, dripping, series_row, serving

SECRET = "canary-5b1d90"
NAME = "kafka_consumergroup_current_offset"
RANGE = (0, 3_600_000)


def profile(url: str, **more) -> Profile:
    history = {"prometheus": url, "headers": {"Authorization": {"env": "TOKEN"}}} | more
    return Profile("production", {"bootstrap.servers": "b:9092", "history": history})


def store_at(url: str, **more) -> Store:
    return Store("production", profile(url).past, {"TOKEN": SECRET}, **more)


def refusal(answer, **more) -> str:
    """Return the sentence in which a hostile answer ends."""
    with serving(answer) as served:
        with pytest.raises(SnapshotError) as refused:
            store_at(served.url, **more).samples('{__name__="x"}', *RANGE)
        assert served.url in str(refused.value)
        return str(refused.value)


def sent(status=200, body=b"", **headers):
    return lambda handler, path, query: handler.send(status, body, **headers)


def failed(status, error):
    return sent(status, json.dumps({"status": "error", "error": error}).encode())


def matrix(*values, **labels):
    data = {"resultType": "matrix", "result": [{"metric": labels, "values": list(values)}]}
    return lambda handler, path, query: handler.send_data(data)


def packed(handler, path, query):
    """Send 70 MB that are packed only when they are asked for, not where tests are collected."""
    handler.send(200, gzip.compress(bytes(70_000_000), 1), Content_Encoding="gzip")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (sent(401, b"no"), "it answers 401: the headers of [clusters.production.history] have no"),
        (sent(403, b"no"), "it answers 403: the headers"),
        (sent(404, b"<html>"), "no Prometheus answers there: not found"),
        (sent(200, b"<html>"), "no Prometheus answers there: status 200, and no JSON"),
        (failed(422, "bad things"), "it answers 422: bad things"),
        (
            failed(400, "parse error"),
            'it answers 400: parse error; the query: {__name__="x"}[3600001ms]',
        ),
        (failed(422, f"token {SECRET} is old"), "token *** is old"),
        (
            failed(422, "query processing would load too many samples into memory"),
            "too many samples into memory; even a sixteenth of the range is too much",
        ),
        (
            failed(400, "exceeded maximum resolution of 11,000 points per timeseries"),
            "11,000 points per timeseries; even a sixteenth",
        ),
        (
            sent(302, b"", Location="http://169.254.169.254/latest/meta-data"),
            "it redirects to 169.254.169.254, and redirects are refused",
        ),
        (packed, "the answer is larger than 64 MB"),
        (
            sent(200, b"\x1f\x8bno", Content_Encoding="gzip"),
            "the answer claims to be gzip but is not",
        ),
        (sent(200, b"no", Content_Encoding="br"), "packed as 'br', expected gzip"),
        (matrix([1, "5"], group="g" * 10_000_000), "a label has 10,000,000 characters"),
        (matrix([1, "five"]), "a sample is no number"),
        (failed(503, "query timed out in expression evaluation"), "it answers 503: query timed"),
        (matrix([1, 5]), "an answer does not have Prometheus's format"),
        (sent(200, b"[" * 1_000_000), "no Prometheus answers there"),
    ],
)
def test_a_hostile_answer_ends_with_its_sentence_within_30_s(answer, words):
    before = time.monotonic()

    said = refusal(answer)

    assert words in said
    assert SECRET not in said
    assert time.monotonic() - before < 30


def test_an_address_at_which_nobody_listens_is_named():
    with serving(answers_of([])) as served:
        url = served.url
    with pytest.raises(SnapshotError) as refused:
        store_at(url).samples('{__name__="x"}', *RANGE)

    assert str(refused.value) == f"{url}/api/v1/query: [Errno 111] Connection refused"


def test_a_server_without_tls_at_an_https_address_ends_with_a_sentence():
    with serving(answers_of([])) as served:
        url = served.url.replace("http:", "https:")
        with pytest.raises(SnapshotError) as refused:
            store_at(url).samples('{__name__="x"}', *RANGE)

    assert str(refused.value).startswith(f"{url}/api/v1/query: [SSL")


def test_a_server_with_a_certificate_of_its_own_is_trusted_by_ca_alone(tmp_path):
    certificates = Certificates(tmp_path)
    row = series_row("x", [(1, 5)])
    with serving(answers_of([row]), certificates.broker) as served:
        trusted = profile(served.url, ca=str(certificates.authority)).past
        store = Store("production", trusted, {"TOKEN": SECRET})
        (found,) = store.samples('{__name__="x"}', *RANGE)
        with pytest.raises(SnapshotError, match="CERTIFICATE_VERIFY_FAILED"):
            store_at(served.url).samples('{__name__="x"}', *RANGE)

    assert found.value.tolist() == [5]


def test_a_path_in_front_is_part_of_the_address_and_a_login_comes_by_reference():
    with serving(answers_of([series_row("x", [(1, 5)])])) as served:
        settings = profile(f"{served.url}/select/0/prometheus/").past
        Store("production", settings, {"TOKEN": "Basic dTpw"}).samples('{__name__="x"}', *RANGE)

    assert [path for path, _ in served.asked] == ["/select/0/prometheus/api/v1/query"]
    assert served.headers[0]["Authorization"] == "Basic dTpw"


def test_labels_that_relabelling_changed_are_asked_for_and_then_read():
    place = {"queue": "t", "partition": 0}
    rows = [
        series_row(NAME, [(100, 5)], consumer_group="g", namespace="kafka", **place),
        series_row("kafka_topic_partition_current_offset", [(100, 9)], **place),
    ]
    with serving(answers_of(rows)) as served:
        with pytest.raises(SnapshotError) as refused:
            Past(profile(served.url), {"TOKEN": SECRET}).reading("g", *RANGE)
        labels = {"group": "consumer_group", "topic": "queue"}
        past = Past(profile(served.url, labels=labels), {"TOKEN": SECRET})
        (slots,) = past.slots(past.reading("g", *RANGE), "g", *RANGE)

    assert str(refused.value) == (
        f"{served.url}: series of {NAME} have no label consumergroup and topic; they have "
        "consumer_group, namespace, partition and queue: name the one of group and topic in "
        "[clusters.production.history] labels"
    )
    assert (slots.keys, slots.committed.tolist(), slots.end.tolist()) == (
        (("g", "t", 0),),
        [5],
        [9],
    )


def test_series_that_differ_at_one_time_end_with_the_labels_to_choose_by():
    rows = [
        series_row(NAME, [(100, value)], consumergroup="g", topic="t", partition=0, cluster=name)
        for name, value in (("east", 5), ("west", 9))
    ]
    with serving(answers_of(rows)) as served:
        past = Past(profile(served.url, exporter="kafka_exporter"), {"TOKEN": SECRET})
        ends = "kafka_topic_partition_current_offset"
        rows.append(series_row(ends, [(100, 9)], topic="t", partition=0))
        reading = past.reading("g", *RANGE)

        with pytest.raises(SnapshotError) as refused:
            list(past.slots(reading, "g", *RANGE))

    assert str(refused.value) == (
        f"{served.url}: {NAME} has two values for one partition at one time; set match: these "
        "labels differ: cluster ('east' and 'west')"
    )


def test_a_burst_of_20_requests_waits_for_no_turn():
    before = time.monotonic()
    with serving(answers_of([])) as served:
        store = store_at(served.url)
        for _ in range(20):
            store._wait_for_turn()

    assert time.monotonic() - before < 0.5


def test_bytes_that_drip_end_in_time():
    before = time.monotonic()

    assert "no complete answer within 1 s" in refusal(dripping, whole_seconds=1.0)
    assert time.monotonic() - before < 5


def test_a_store_waits_less_than_30_s_for_a_whole_answer():
    assert stores._WHOLE_SECONDS < 30


def test_a_packed_answer_is_unpacked_no_farther_than_the_bound():
    packer, spaces = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16), b" " * 1_000_000
    bomb = b"".join([*(packer.compress(spaces) for _ in range(400)), packer.flush()])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    refusal(sent(200, bomb, Content_Encoding="gzip"))

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_samples_that_are_no_offset_are_left_out_and_counted():
    values = ["NaN", "+Inf", "-Inf", "9007199254740994", "1.5", "7", "-1"]
    with serving(matrix(*([at, one] for at, one in enumerate(values)), a="b")) as served:
        store = store_at(served.url)
        (found,) = store.samples('{__name__="x"}', *RANGE)

    assert (found.time.tolist(), found.value.tolist()) == ([5000, 6000], [7, -1])
    assert store.rejected == 5


def test_exemplars_warnings_and_histograms_are_no_samples():
    series = {"metric": {"a": "b"}, "values": [[1, "5"]], "histograms": [[1, {"count": "5"}]]}
    body = {
        "status": "success",
        "data": {"resultType": "matrix", "result": [series], "exemplars": [{"value": "1"}]},
        "warnings": ["partial"],
        "infos": ["noise"],
    }
    with serving(sent(200, json.dumps(body).encode())) as served:
        (found,) = store_at(served.url).samples('{__name__="x"}', *RANGE)

    assert found.value.tolist() == [5]


def test_too_many_samples_are_asked_for_in_halves():
    row = series_row("x", [(second, second) for second in range(0, 3600, 60)])

    def answer(handler, path, query):
        if int(re.search(r"\[(\d+)ms\]", query["query"])[1]) > 1_000_000:
            failed(422, "query processing would load too many samples")(handler, path, query)
        else:
            answers_of([row])(handler, path, query)

    with serving(answer) as served:
        found = store_at(served.url).samples('{__name__="x"}', *RANGE)

    assert sum(one.time.size for one in found) == 60
    assert len(served.asked) == 7


def test_raw_samples_are_asked_for_and_never_a_range_query():
    with serving(answers_of([])) as served:
        store_at(served.url).samples('{__name__="x"}', *RANGE)

    assert served.asked == [
        (
            "/api/v1/query",
            {
                "query": '{__name__="x"}[3600001ms]',
                "time": "3600.000",
                "timeout": "25s",
                "max_source_resolution": "0s",
                "partial_response": "false",
                "deny_partial_response": "1",
            },
        )
    ]
    assert served.headers[0]["Authorization"] == SECRET


def test_a_store_is_asked_20_times_a_second_at_most():
    before = time.monotonic()
    with serving(answers_of([])) as served:
        store = store_at(served.url)
        for _ in range(21):
            store.samples("{}", *RANGE)

    assert time.monotonic() - before >= 1.0


def test_labels_that_no_series_has_are_named_with_the_values_that_exist():
    row = series_row(NAME, [(100, 5)], consumergroup="g", topic="t", partition=0, cluster="east")
    with serving(answers_of([row])) as served:
        past = Past(profile(served.url, match={"cluster": "west"}), {"TOKEN": SECRET})

        with pytest.raises(SnapshotError) as refused:
            past.reading("g", *RANGE)

    assert str(refused.value) == (
        f"{served.url}: no series has cluster='west' of [clusters.production.history] match; "
        "values of cluster: 'east'"
    )


@pytest.mark.parametrize("group", ['a"b', "a\\b", 'x"} or {__name__=~".+', "äöü"])
def test_the_name_of_a_group_is_text_and_nothing_else(group):
    rows = [
        series_row(NAME, [(100, 5)], consumergroup=name, topic="t", partition=0)
        for name in (group, "other")
    ]
    ends = [series_row("kafka_topic_partition_current_offset", [(100, 9)], topic="t", partition=0)]
    assert selector(["x"], {"g": 'a"b\\c\nd'}) == '{__name__="x",g="a\\"b\\\\c\\nd"}'
    with serving(answers_of([*rows, *ends])) as served:
        past = Past(profile(served.url), {"TOKEN": SECRET})
        reading = past.reading(group, *RANGE)
        (slots,) = past.slots(reading, group, *RANGE)

    assert slots.keys == ((group, "t", 0),)


def test_pieces_end_with_days_and_are_no_longer_than_asked():
    noon = int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp() * 1000)

    found = list(pieces(noon, noon + DAY_MS, DAY_MS // 3))

    hours = [((since - noon) / 3_600_000, (until - noon) / 3_600_000) for since, until in found]
    assert hours == [(0, 8), (8, 12), (12, 20), (20, 24)]
