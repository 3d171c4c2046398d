"""The steps of every task, replayed by hand-written rules over state of its own, lead to its
process and consumer, and to its copies.
"""

from collections import Counter
from dataclasses import fields
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.application import NO_TAG, NOT_REPORTED, RUNNING, UNBOUNDED_LAG
from evenkeel.assignors.kafka.streams.task_steps import (
    ACTIVE,
    STANDBY,
    CopyFirst,
    Dealt,
    HasState,
    Lightest,
    LoadShift,
    OnThread,
    RackExchange,
    Ran,
    Rule,
    SearchHit,
    TaskDecision,
    TookOver,
    Way,
    explain_task,
)
from evenkeel.assignors.trace import Trace, recording
from tests.assignors.applications import Client, application
from tests.assignors.kafka.streams.test_properties import snapshot

every_assignor = pytest.mark.parametrize("name", TASK_ASSIGNORS)
some_applications = settings(
    max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)
_MOST_PAIRS = 1_500
"""Tasks times processes."""


def configured(name, random, tag_keys):
    """An assignor with random settings."""
    return TASK_ASSIGNORS[name](
        acceptable_recovery_lag=random.choice([0, 5, 100, 10_000, UNBOUNDED_LAG]),
        max_warmup_replicas=random.choice([1, 2, 3]),
        num_standby_replicas=random.choice([0, 1, 1, 2, 3]),
        rack_aware_assignment_tags=tuple(tag_keys[:5]) if random.random() < 0.4 else (),
        rack_aware_assignment_strategy=random.choice(
            ["none", "min_traffic", "balance_subtopology"]
        ),
        rack_aware_assignment_traffic_cost=random.choice([1, 10]),
        rack_aware_assignment_non_overlap_cost=random.choice([1, 10]),
    )


class Replay:
    """Who has which task in which role, as the steps change it; each step is checked by a rule that
    knows the application and this alone.
    """

    def __init__(self, assignor, found):
        self.assignor, self.application = assignor, found
        self.active, self.standby, self.consumers = {}, {}, {}
        self.warmups, self.counts, self.exchange = 0, Counter(), None
        self.processes = sorted(
            range(found.process_count),
            key=lambda process: tuple(found.process_id[process].tolist()),
        )
        self.threads = Counter(found.member_process.tolist())
        self.lag, sums = found.lag.tolist(), found.offset_sum
        owned = set(
            zip(
                found.member_process[found.owned_member].tolist(),
                found.owned_task.tolist(),
                strict=True,
            )
        )
        self.ran = owned | {
            (int(process), int(task)) for process, task in np.argwhere(sums == RUNNING)
        }
        self.keeps = {
            (int(process), int(task)) for process, task in np.argwhere(sums != NOT_REPORTED)
        } - self.ran
        self.stateful = np.flatnonzero(found.is_stateful).tolist()
        stateful, members = len(self.stateful) * assignor.num_standby_replicas, found.member_count
        self.quotas = {
            ACTIVE: [found.task_count, members],
            STANDBY: [found.task_count + stateful, members],
        }

    @property
    def is_group(self):
        return self.assignor.name == "streams-group-sticky"

    def held(self, process, role=None):
        runs = (
            [task for task, one in self.active.items() if one == process] if role != STANDBY else []
        )
        return runs + (
            [task for task, those in self.standby.items() if process in those]
            if role != ACTIVE
            else []
        )

    def load(self, process, role=None):
        return len(self.held(process, role)), self.threads[process]

    def has(self, process, task):
        return self.active.get(task) == process or process in self.standby.get(task, ())

    def is_caught_up(self, process, task):
        lag, acceptable = self.lag[process][task], self.assignor.acceptable_recovery_lag
        return lag == RUNNING or 0 <= lag <= acceptable or acceptable == UNBOUNDED_LAG

    def by_lag(self, task):
        return sorted(self.processes, key=lambda process: self.lag[process][task])

    def traffic(self, is_stateful):
        """What all active tasks of a kind cost: so much for each partition without a replica in the
        rack of the process that reads it.
        """
        found, is_public = self.application, self.assignor.name == "streams-sticky" and is_stateful
        kinds = [found.source, found.changelog] if is_public else [found.source]
        tasks = [task for task in self.active if found.is_stateful[task] == is_stateful]
        misses = sum(self.misses(one, task) for one in kinds for task in tasks)
        return misses * (self.assignor.costs[0] if is_stateful else 1)

    def misses(self, partitions, task):
        rack, racks = (
            self.application.process_rack[self.active[task]],
            partitions.replica_rack.tolist(),
        )
        rows = range(partitions.start[task], partitions.start[task + 1])
        return sum(
            rack not in racks[partitions.replica_start[row] : partitions.replica_start[row + 1]]
            for row in rows
        )

    def share(self, role):
        tasks, members = self.quotas[role]
        return -(-tasks // members) if members else 0

    def count(self, consumer, roles):
        """Count a task of a member of a streams group: an even share is drawn anew when a member
        reaches it.
        """
        self.counts[consumer] += 1
        for role in roles:
            if self.counts[consumer] == self.share(role):
                self.quotas[role] = [
                    self.quotas[role][0] - self.counts[consumer],
                    self.quotas[role][1] - 1,
                ]

    def take(self, task, step):
        RULES[type(step)](self, task, step)
        if isinstance(step, OnThread):
            self.counts[step.consumer] += 1
        elif self.is_group:
            self.count(step.consumer, (ACTIVE, STANDBY) if step.role == ACTIVE else (STANDBY,))
        if step.consumer >= 0:
            self.consumers[task, step.role, step.member] = step.consumer
        if step.role == ACTIVE:
            self.active[task] = step.member
        else:
            self.standby.setdefault(task, []).append(
                step.member
            ) if step.member not in self.standby.get(task, ()) else None


def ratio(load):
    return Fraction(*load)


def dealt(replay, task, step):
    assert replay.stateful[step.number] == task
    assert step.ring == len(replay.processes)
    assert step.member == replay.processes[step.number % step.ring]


def evened(replay, task, step):
    assert task in replay.held(step.giver, step.role)
    assert not replay.has(step.member, task)
    assert (step.had, step.has) == (replay.load(step.giver), replay.load(step.member))
    skew, after = (
        ratio((step.had[0] - one, step.had[1])) - ratio((step.has[0] + one, step.has[1]))
        for one in (0, 1)
    )
    assert 0 <= after < skew
    if step.role == STANDBY:
        replay.standby[task].remove(step.giver)


def exchanged(replay, task, step):
    assert task in replay.held(step.giver, step.role)
    assert step.after < step.before or step.by_subtopology
    about = (step.role, step.before, step.after)
    if step.role == ACTIVE and replay.exchange != about:
        assert step.before == replay.traffic(bool(replay.application.is_stateful[task]))
    replay.exchange = about
    racks = replay.application.process_rack
    assert step.role == ACTIVE or racks[step.giver] != racks[step.member]
    if step.role == STANDBY:
        replay.standby[task].remove(step.giver)


def lightest(replay, task, step):
    role = ACTIVE if step.role == ACTIVE and not replay.is_group else None
    free = [process for process in replay.processes if not replay.has(process, task)]
    assert step.load == replay.load(step.member, role)
    assert step.member in free
    if step.by_tags:
        keys, tags = replay.application.tag_key, replay.application.tag_value
        holders = [replay.active[task], *replay.standby.get(task, ())]
        for key in (
            keys.index(one) for one in replay.assignor.rack_aware_assignment_tags if one in keys
        ):
            if len(set(tags[:, key].tolist()) - {NO_TAG}) > len(holders):
                assert tags[step.member, key] not in set(tags[holders, key].tolist()) - {NO_TAG}
        return
    least = min(free, key=lambda process: ratio(replay.load(process, role)))
    if replay.is_group:
        assert ratio(replay.load(least)) == ratio(step.load)
        mine = np.flatnonzero(replay.application.member_process == step.member).tolist()
        assert replay.counts[step.consumer] == min(replay.counts[member] for member in mine)
    else:
        assert step.member == least


def took_over(replay, task, step):
    assert replay.active[task] == step.meant
    assert not replay.is_caught_up(step.meant, task)
    assert (step.lag, step.lag_of_meant) == (
        replay.lag[step.member][task],
        replay.lag[step.meant][task],
    )
    caught_up = [process for process in replay.processes if replay.is_caught_up(process, task)]
    copies = replay.standby.setdefault(task, [])
    assert step.had_copy == (step.member in copies)
    if caught_up:
        assert step.member in caught_up
        assert step.had_copy == any(process in copies for process in caught_up)
    else:
        assert step.member == replay.by_lag(task)[0]
    if step.had_copy:
        copies.remove(step.member)
        copies.append(step.meant)
    else:
        warm_up(replay, task, step)


def copy_first(replay, task, step):
    assert step.meant in replay.standby[task]
    assert not replay.is_caught_up(step.meant, task)
    free = [process for process in replay.by_lag(task) if not replay.has(process, task)]
    assert step.member in free
    caught_up = [process for process in free if replay.is_caught_up(process, task)]
    assert step.member in caught_up if caught_up else step.member == free[0]
    warm_up(replay, task, step)


def warm_up(replay, task, step):
    assert step.warms_up == (replay.warmups < replay.assignor.max_warmup_replicas)
    replay.warmups += 1
    copies = replay.standby[task]
    if step.warms_up and step.meant not in copies:
        copies.append(step.meant)
    if not step.warms_up and step.meant in copies:
        copies.remove(step.meant)


def ran(replay, task, step):
    assert task not in replay.active
    if replay.is_group:
        pairs = zip(
            replay.application.owned_member.tolist(),
            replay.application.owned_task.tolist(),
            strict=True,
        )
        assert (step.consumer, task) in set(pairs)
        assert (step.count, step.room) == (replay.counts[step.consumer], replay.share(ACTIVE))
    else:
        assert (step.member, task) in replay.ran
        each = replay.application.task_count // sum(replay.threads.values())
        assert step.count == len(replay.held(step.member, ACTIVE))
        assert step.room == (
            None if replay.assignor.must_preserve else each * replay.threads[step.member]
        )
    assert step.room is None or step.count < step.room


def has_state(replay, task, step):
    assert not replay.has(step.member, task)
    assert step.count < step.room
    if replay.is_group:
        found = replay.application
        stored = {*zip(found.standby_member.tolist(), found.standby_task.tolist(), strict=True)}
        stored |= (
            {*zip(found.owned_member.tolist(), found.owned_task.tolist(), strict=True)}
            if step.role == STANDBY
            else set()
        )
        assert (step.consumer, task) in stored
        assert (step.count, step.room) == (replay.counts[step.consumer], replay.share(step.role))
    else:
        each = replay.application.task_count // sum(replay.threads.values())
        assert (step.member, task) in replay.keeps
        assert (step.count, step.room) == (
            len(replay.held(step.member, ACTIVE)),
            each * replay.threads[step.member],
        )


def found_by_search(replay, task, step):
    free = [process for process in replay.processes if not replay.has(process, task)]
    assert step.load == replay.load(step.member)
    assert step.member in free

    def room(process):
        load = replay.load(process)
        return ratio(load), -load[1] if replay.assignor.counts_capacity else 0

    if step.rule == Rule.ONLY:
        assert free == [step.member]
    elif step.rule in (Rule.RAN, Rule.KEEPS):
        assert (step.member, task) in (replay.ran if step.rule == Rule.RAN else replay.keeps)
        is_full = step.load[0] >= step.load[1]
        assert not (
            is_full and any(room(process) < room(step.member) for process in replay.processes)
        )
    elif step.rule == Rule.EMPTY:
        assert step.load[0] == 0
    else:
        assert all(replay.load(process)[0] for process in free)
        assert step.rule == Rule.NEW_PAIR or room(step.member) == min(map(room, free))


def on_thread(replay, task, step):
    assert (
        step.member == replay.active[task]
        if step.role == ACTIVE
        else step.member in replay.standby[task]
    )
    assert replay.application.member_process[step.consumer] == step.member
    assert step.count == replay.counts[step.consumer]
    assert step.count <= step.least
    if step.way == Way.BACK:
        reported = zip(
            replay.application.reported_member.tolist(),
            replay.application.reported_task.tolist(),
            strict=True,
        )
        assert (step.consumer, task) in set(reported)
    else:
        assert (step.count < step.least) == (step.way == Way.FILL)


RULES = {
    Dealt: dealt,
    LoadShift: evened,
    RackExchange: exchanged,
    Lightest: lightest,
    TookOver: took_over,
    CopyFirst: copy_first,
    Ran: ran,
    HasState: has_state,
    SearchHit: found_by_search,
    OnThread: on_thread,
}


def test_every_kind_of_step_has_its_rule():
    assert set(RULES) == set(TaskDecision.__subclasses__())


def replayed(assignor, found):
    """Check every step."""
    try:
        with recording(Trace()) as trace:
            answer = assignor.assign(found)
    except AssignorError:
        return
    if found.has_unread_ends and assignor.name == "high-availability":
        assignor = TASK_ASSIGNORS["fallback-prior"](
            **{each.name: getattr(assignor, each.name) for each in fields(assignor)}
        )
    replay = Replay(assignor, found)
    for task, step in in_order_of_members(trace.steps):
        replay.take(task, step)

    assert [replay.active[task] for task in range(found.task_count)] == answer.active.tolist()
    copies = sorted((process, task) for task, those in replay.standby.items() for process in those)
    assert copies == [tuple(pair) for pair in answer.standby.tolist()]
    on = [
        replay.consumers[task, ACTIVE, process]
        for task, process in enumerate(answer.active.tolist())
    ]
    kept = [replay.consumers[task, STANDBY, process] for process, task in answer.standby.tolist()]
    assert (on, kept) == (answer.active_member.tolist(), answer.standby_member.tolist())
    assert answer.active.tolist() == assignor.assign(found).active.tolist()


def in_order_of_members(steps):
    """Put what a process shares out at once in the order in which each of its consumers got it."""
    return sorted(
        steps, key=lambda each: (0, 0) if not isinstance(each[1], OnThread) else (1, each[1].count)
    )


@every_assignor
@some_applications
@given(st.integers(0, 2**32))
def test_the_steps_of_every_task_lead_by_hand_written_rules_to_where_it_is(name, number):
    found = snapshot(number)
    # Racks of 2,800 pairs are searched for minutes.
    assume(found.task_count * found.process_count <= _MOST_PAIRS)
    replayed(configured(name, Random(number), found.tag_key), found)


def test_the_default_assignor_tells_who_is_meant_to_run_a_task_and_who_runs_it_meanwhile():
    # The second of two tasks is dealt to the second process, which has no state; the first is
    # caught up on both.
    found = application("0.0 0.1", "0.0 0.1", [Client(lag=0), Client()])

    steps = explain_task(TASK_ASSIGNORS["high-availability"](), found, 1)

    unbounded = found.end_offset_sum[1]
    assert steps[:2] == (
        Dealt(1, number=1, ring=2),
        TookOver(0, meant=1, lag=0, lag_of_meant=unbounded, had_copy=False, warms_up=True),
    )
