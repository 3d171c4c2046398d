"""The arrays against the words of the specification."""

import pytest
from hypothesis import assume, given, settings

from evenkeel.assignors import ASSIGNORS
from tests.assignors.groups import spelled
from tests.generated.groups import groups
from tests.literal.classic import literal_lag, literal_range, literal_roundrobin, plain

LITERAL = {"range": literal_range, "roundrobin": literal_roundrobin, "lag": literal_lag}


@pytest.mark.parametrize("name", LITERAL)
@settings(max_examples=150)
@given(groups(max_partitions=12))
def test_an_assignor_answers_as_the_specification_words_it(name, snapshot):
    assume(snapshot.member_count)

    answer = spelled(snapshot, ASSIGNORS[name]().assign(snapshot))

    expected = LITERAL[name](plain(snapshot))
    assert answer == {member: " ".join(f"{topic}-{partition}" for topic, partition in sorted(tps)) for member, tps in expected.items()}
