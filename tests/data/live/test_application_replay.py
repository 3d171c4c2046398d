"""Settings that a leader may have: those that are known stay, and no two acceptable lags mean the
same.
"""

from evenkeel.data.group.columns import application_from_document
from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Process, StreamsConsumer, Task
from evenkeel.data.live.application_replay import possible_settings


def joined(*sums: int, rack: str | None = None, tags: dict[str, str] | None = None):
    """Return an application of one stateful task with 50,000 records; each process has so many of
    them.
    """
    processes = [
        Process(
            f"00000000-0000-0000-0000-{number:012}",
            [StreamsConsumer(f"m{number}", task_offset_sums={"0_0": one})],
            rack=rack,
            client_tags=tags,
        )
        for number, one in enumerate(sums)
    ]
    return application_from_document(
        Application("evenkeel.streams/1", tasks=[Task("0_0", True, 50_000)], processes=processes)
    )


def lags(application) -> list[int]:
    return [
        one.get("acceptable.recovery.lag", 10_000)
        for one in possible_settings(application, {"max.warmup.replicas": 2})
    ]


def test_kafkas_defaults_come_first():
    assert next(possible_settings(joined(0), {"num.standby.replicas": 1})) == {
        "num.standby.replicas": 1
    }


def test_an_acceptable_lag_is_tried_for_each_way_to_part_the_copies():
    # Lags of 0, 100, 5,000, 20,000 and 50,000 records: the default parts them after 5,000.
    assert lags(joined(50_000, 49_900, 45_000, 30_000, 0)) == [10_000, 4_999, 99, 20_000, 50_000]


def test_copies_that_run_or_have_all_records_leave_nothing_to_try():
    assert lags(joined(-2, 50_000)) == [10_000]


def test_what_is_known_is_never_varied():
    known = {"acceptable.recovery.lag": 5, "max.warmup.replicas": 7}

    assert list(possible_settings(joined(0, 49_000), known)) == [known]


def test_strategies_are_tried_only_where_every_process_has_a_rack():
    tried = [
        {
            one.get("rack.aware.assignment.strategy")
            for one in possible_settings(joined(0, 9, rack=rack), {})
        }
        for rack in ("a", None)
    ]

    assert tried == [{None, "min_traffic", "balance_subtopology"}, {None}]


def test_tags_that_all_processes_have_are_likely_to_be_in_use():
    tried = [
        one.get("rack.aware.assignment.tags")
        for one in possible_settings(joined(50_000, tags={"zone": "x", "cluster": "k"}), {})
    ]

    assert tried[:2] == [["cluster", "zone"], None]
