"""A wrong answer is found, and shown on the smallest group."""

from random import Random

from tests.judge.differences import differences, first, random_requests, smallest


def without_racks(judge):
    """Answer as an assignor that does not know racks would."""
    return lambda request: judge.answer(
        "range",
        request["group"]
        | {"members": [{**member, "rack": None} for member in request["group"]["members"]]},
    )


def test_an_answer_that_ignores_racks_differs_and_the_smallest_group_has_nothing_to_spare(judge):
    requests = first(random_requests(Random(1), "range"), 300)

    found = list(differences(requests, judge, without_racks(judge)))
    small = smallest(found[0], judge, without_racks(judge))

    assert len(found) > 5
    assert len(small.request["group"]["members"]) <= 3
    assert len(small.request["group"]["topics"]) == 1


def test_another_exception_is_a_difference_and_the_same_one_is_none(judge):
    request = {
        "assignor": "roundrobin",
        "group": {"format": "evenkeel.group/1", "topics": [], "members": []},
        "settings": {},
    }
    answers = [
        {"assignment": {}, "withheld": {}, "assumed": [], "error": {"type": name, "message": "any"}}
        for name in ("IllegalArgumentException", "ArithmeticException")
    ]

    found = [
        list(differences([request], judge, lambda _, answer=answer: answer)) for answer in answers
    ]

    assert [len(each) for each in found] == [0, 1]
