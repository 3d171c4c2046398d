"""Refusals: the path of an edit's argument becomes the label of its field."""

import pytest

from evenkeel.dashboard.steps.refusals import malformed, refusal


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ('member_ids[0]: no member "pay-z"', 'There is no member "pay-z".'),
        ('topic: no topic "orders"', 'There is no topic "orders".'),
        (
            'name: topic "orders" exists already, expected a new name',
            'Name: topic "orders" exists already, expected a new name.',
        ),
        (
            'count: found 2, expected at least 3: Kafka cannot shrink topic "t0"',
            'Partitions: found 2, expected at least 3: Kafka cannot shrink topic "t0".',
        ),
        (
            "topics: missing, expected topics or regex",
            "Choose topics, or write an expression that matches topics.",
        ),
    ],
)
def test_a_refused_edit_is_told_with_the_label_of_its_field(reason, said):
    assert refusal(reason) == said


@pytest.mark.parametrize(
    ("complaint", "said"),
    [
        ("Object missing required field `topic`", "Topic: nothing is chosen."),
        ("Expected `int` >= 1 - at `$.count`", "Partitions: expected `int` >= 1."),
    ],
)
def test_a_value_that_a_form_left_out_is_told_with_the_label_of_its_field(complaint, said):
    assert malformed(complaint) == said
