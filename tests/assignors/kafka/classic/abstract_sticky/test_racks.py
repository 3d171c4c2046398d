"""Kafka's rack scenarios for the sticky assignors, asked again with owners; the first answers are in test_sticky_scenarios."""

import re

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.rounds.classic import rounds
from tests.assignors.asking import ask
from tests.assignors.kafka.classic.abstract_sticky.test_literal import snapshot_of
from tests.assignors.kafka.classic.abstract_sticky.test_scenarios import by_name
from tests.recorded import notation, vectors
from tests.recorded.scenarios import as_sets, scenarios

RACKS = [each for each in scenarios() if each.assignor == "cooperative-sticky" and re.search(r", \d:\S+/\S+$", each.name)]
"""Rack scenarios; those in which nothing is owned are asked again with their own answer as what is owned."""


@pytest.mark.parametrize("scenario", [each for each in RACKS if "owned" not in each.name], ids=str)
def test_what_a_rack_scenario_gives_stays_where_it_is(scenario):
    after = vectors.rebalanced(scenario.group, ask(scenario.assignor, scenario.group), generation=None)

    assert scenario.agrees_with(ask(scenario.assignor, after))


SETTLED = {
    "equal, owned, one replica, 1:abc/abc": "consumer0[t1-0,3 t2-0,3,6] consumer1[t1-1,4 t2-1,4 t3-0] consumer2[t1-2,5 t2-2,5 t3-1]",
    "unequal, owned, one replica, 1:abc/abc": "consumer0[t1-3 t2-0,2,3,6] consumer1[t1-4 t2-1,4,5 t3-0] consumer2[t1-0,1,2,5 t3-1]",
    "unequal, owned, three replicas, 3:abc/abc": "consumer0[t1-2,3,4 t2-4,5] consumer1[t2-0..3,6] consumer2[t1-0,1,5 t3-0,1]",
}


@pytest.mark.parametrize("scenario", [each for each in RACKS if each.name in SETTLED], ids=str)
def test_a_rack_scenario_with_owners_ends_in_the_second_round(scenario):
    result = rounds(snapshot_of(scenario.group), ASSIGNORS["cooperative-sticky"]())

    assert len(result.rounds) == 2
    assert by_name(result.rounds[-1]) == as_sets(notation.answer(SETTLED[scenario.name]))


def test_every_rack_scenario_with_owners_is_asked_for_its_end():
    assert {each.name for each in RACKS if "owned" in each.name} == SETTLED.keys()
