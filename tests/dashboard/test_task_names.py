from evenkeel.dashboard.names import process_names, thread_names
from evenkeel.data.group.document.application import Process, StreamsConsumer


def process(number: int, client_id: str | None, *members: str) -> Process:
    return Process(
        f"{number:04x}0000-0000-0000-0000-000000000000",
        [StreamsConsumer(member) for member in members],
        client_id,
    )


def test_an_instance_has_its_client_id_without_the_uuid():
    assert process_names(
        [process(1, "wc-3c6ef372-fe94-f82b-9e37-79b97f4a7c15"), process(2, "wc-2")]
    ) == ("wc-3c6e", "wc-2")


def test_of_several_instances_with_one_client_id_the_first_keeps_the_name():
    assert process_names([process(1, "wc"), process(2, "wc"), process(3, None)]) == (
        "wc",
        "wc-0002",
        "00030000",
    )


def test_a_thread_has_the_number_in_its_name_or_its_place():
    numbered = process(1, "a", "a-StreamThread-2-consumer-x", "a-StreamThread-1-consumer-y")

    assert thread_names([numbered, process(2, "b", "b-x", "b-y")]) == ("t2", "t1", "t1", "t2")
