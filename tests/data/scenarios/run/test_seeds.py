"""How much ids that do not exist yet matter."""

import msgspec
import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.data.scenarios.edits.add_members import AddMembers
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.edits.set_rack import SetRack
from evenkeel.data.scenarios.run.seeds import Spread, all_drawn, drawn, draws_ids, spread, with_seed
from evenkeel.data.scenarios.scenario.scenario import Settings, Step
from tests.data.scenarios.scenarios import result


def test_only_edits_that_make_ids_have_seeds():
    joins = AddMembers(count=1, like="pay-a")

    assert draws_ids(Step(edits=[joins]))
    assert not draws_ids(Step(edits=[RemoveMembers(member_ids=["a"]), SetRack(member_ids=["a"])]))
    assert not draws_ids(Step(edits=[msgspec.structs.replace(joins, off=True)]))
    assert [edit.seed for edit in with_seed(Step(edits=[joins]), 9).edits] == [9]


def test_a_figure_is_there_for_each_seed():
    step = Step(edits=[AddMembers(count=1, like="pay-a")])
    *_, last = drawn(result().listed, step, 0, ASSIGNORS["range"](), seeds=20)

    # The new member sorts first, second or third by its id: range gives two partitions to the first
    # member, one to each other.
    assert last.moved_partitions.size == last.max_lag.size == 20
    assert set(last.moved_partitions.tolist()) <= {1, 2, 3, 4}


def test_the_spread_is_the_median_and_what_nine_of_ten_seeds_lie_between():
    assert spread(np.arange(101)) == Spread(5, 50, 95, False)
    assert spread(np.array([7, 7, 7])) == Spread(7, 7, 7, True)
    assert spread(np.array([], dtype=np.int64)) is None


def test_all_seeds_at_once_have_the_figures_of_one_seed_after_the_other():
    step, start = Step(edits=[AddMembers(count=1, like="pay-a")]), result().listed
    *_, last = drawn(start, step, 0, ASSIGNORS["range"](), seeds=20)

    at_once = all_drawn(start, step, 0, "range", Settings(), 20)

    assert at_once.moved_partitions.tolist() == last.moved_partitions.tolist()
    assert at_once.max_lag.tolist() == last.max_lag.tolist()
