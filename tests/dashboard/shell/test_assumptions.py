"""What was assumed, in words."""

import pytest

from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import decode
from evenkeel.data.scenarios.assumption_words import assumption_words, in_words_all

DOCUMENT = b"""{"format": "evenkeel.group/1", 
 "topics": [{"name": "zebra", "partitions": 2}, {"name": "ant", "partitions": 1}],
 "members": [{"member_id": "a", "subscribed": ["ant"]}]}"""


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("members", "the input shows only members that own partitions; idle members are missing"),
        ("members[*].subscribed", "every member subscribes to all topics that any member owns"),
        (
            "topics[0].partitions",
            "size of zebra: the highest partition number in the input, plus one",
        ),
        (
            "topics[1].topic_id",
            "topic id of ant: made from the topic's name; the assignor orders topics by their ids",
        ),
        ("topics[0].partitions[1].lag", "lag of zebra-1: unknown, so the assignor uses 0"),
        (
            "topics[1].partitions[*].lag",
            "lag of ant, all partitions: unknown, so the assignor uses 0",
        ),
        (
            "hash collisions",
            (
                "member order: many ids have the same hash code, and Java's order of these ids is"
                " not reproduced"
            ),
        ),
        ("something[new]", "something[new]"),
    ],
)
def test_a_path_of_the_document_becomes_a_sentence_with_the_topic_of_that_place(path, words):
    observed = observed_from_document(decode(DOCUMENT))

    assert assumption_words(observed, path) == words


def test_topics_of_which_the_same_is_assumed_stand_in_one_sentence():
    observed = observed_from_document(decode(DOCUMENT))

    assert in_words_all(observed, ["topics[0].topic_id", "topics[1].topic_id", "members"])[
        0
    ].startswith("topic id of zebra, ant: made from")
