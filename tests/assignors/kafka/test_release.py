import re

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import NotKnownError
from evenkeel.assignors.kafka.release import Release, of_release
from tests.assignors.groups import group

OF_A_RELEASE = {
    name: assignor for name, assignor in ASSIGNORS.items() if issubclass(assignor, Release)
}
every_assignor = pytest.mark.parametrize("assignor", OF_A_RELEASE.values(), ids=OF_A_RELEASE)


@every_assignor
def test_settings_are_kafka_4_3_1_on_java_17_with_a_fresh_leader_unless_said_otherwise(assignor):
    made = assignor()

    assert (made.kafka_version, made.jdk, made.max_generation) == ("4.3.1", 17, -1)


@pytest.mark.parametrize(
    ("name", "version", "message"),
    [
        ("range", "3.4.0", "range: unknown for Kafka 3.4.0, known since 3.5.0"),
        ("range", "3.4", "range: unknown for Kafka 3.4, known since 3.5.0"),
        ("range", "0.10.2.1", "range: unknown for Kafka 0.10.2.1, known since 3.5.0"),
        ("roundrobin", "2.3.1", "roundrobin: unknown for Kafka 2.3.1, known since 2.4.0"),
    ],
)
def test_a_release_whose_answers_are_not_known_is_refused(name, version, message):
    with pytest.raises(ValueError) as raised:
        ASSIGNORS[name](kafka_version=version)

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("range", "3.5.0"),
        ("range", "3.5"),
        ("range", "3.10.0"),
        ("roundrobin", "2.4.0"),
        ("lag", "0.10.0"),
    ],
)
def test_a_release_whose_answers_are_known_is_accepted(name, version):
    assert ASSIGNORS[name](kafka_version=version).kafka_version == version


@every_assignor
@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("kafka_version", "trunk", "'trunk', expected a release such as 4.3.1"),
        ("kafka_version", 4, "4, expected a release such as 4.3.1"),
        ("jdk", 7, "7, expected an integer of at least 8"),
        ("jdk", True, "True, expected an integer of at least 8"),
        ("jdk", "17", "'17', expected an integer of at least 8"),
        ("max_generation", -2, "-2, expected an integer of at least -1"),
        ("max_generation", None, "None, expected an integer of at least -1"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(assignor, setting, value, expected):
    with pytest.raises(ValueError) as raised:
        assignor(**{setting: value})

    assert str(raised.value) == f"{assignor.name}: {setting} is {expected}"


def test_an_assignor_of_a_release_that_is_not_known_says_so_in_place_of_an_answer():
    with pytest.raises(
        NotKnownError, match=re.escape("simple: unknown for Kafka 4.1.0, known since 4.2.0")
    ):
        of_release(ASSIGNORS["simple"], "4.1.0").assign(group({"t": 1}, A="t"))


def test_an_assignor_of_a_known_release_answers_as_of_that_release():
    assert of_release(ASSIGNORS["uniform"], "4.0.0").kafka_version == "4.0.0"


def test_what_is_no_assignor_of_kafka_has_no_release():
    itself = object()

    assert of_release(lambda: itself, "2.4.0") is itself
