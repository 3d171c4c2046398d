"""Random groups for hypothesis, with all that real groups hold.

Claims of others' partitions, of gone topics and of too big numbers, old generations, racks, missing
offsets, topics subscribed twice.
"""

from functools import cache

from hypothesis import strategies as st

from evenkeel.assignors.group import NO_GENERATION
from tests.assignors.groups import Member, group

TOPICS = ["a", "t0", "t1", "t10", "topic"]
GONE = ["gone", "t2"]
# "Aa" and "BB" share a hash code; the last two sort differently in Java and in Python.
MEMBER_IDS = ["A", "B", "C", "consumer1", "consumer2", "consumer10", "Aa", "BB", "x-😀", "x-\ue000"]
INSTANCE_IDS = ["i1", "i2", "i3"]
RACKS = ["r1", "r2", "r3"]

offsets = st.none() | st.integers(0, 12) | st.integers(0, 2**40)


# What is drawn from is made once: hypothesis checks each new one, which took longer than the draws.
_resets = st.sampled_from([None, "latest", "Latest", "earliest", "none"])
_ids = st.dictionaries(st.sampled_from(TOPICS), st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2))


@st.composite
def members(
    draw,
    topic_names,
    claims=True,
    idle=True,
    racks=True,
    shared_instances=True,
    repeated=True,
    fewest=0,
    most=7,
):
    """Draw {member id: Member} in a random order."""
    names = draw(_names(fewest, most))
    instances = draw(_instances(len(names), shared_instances))
    known = tuple(topic_names)
    return {
        name: draw(_member(known, instance, claims, idle, racks, repeated))
        for name, instance in zip(names, instances, strict=False)
    }


@st.composite
def groups(draw, max_partitions=7, idle=True, **options):
    """Draw a GroupSnapshot.

    `claims`, `racks`: False for none. `idle`: False where every member subscribes to a topic that
    exists. `shared_instances`: False where an instance id is used once. `repeated`: False where
    nobody subscribes to a topic twice. `fewest`, `most`: members.
    """
    topics = draw(_topics(max_partitions, idle))
    drawn = draw(members(sorted(topics), idle=idle, **options))
    column = _column(sum(topics.values()))
    return group(
        topics,
        drawn,
        lag=draw(column),
        begin=draw(column),
        end=draw(column),
        committed=draw(column),
        reset=draw(_resets),
        racks={name: draw(_replica_racks(size)) for name, size in topics.items()}
        if options.get("racks", True)
        else None,
        ids=draw(_ids),
    )


@cache
def _topics(max_partitions, idle):
    return st.dictionaries(
        st.sampled_from(TOPICS),
        st.integers(0, max_partitions),
        max_size=len(TOPICS),
        min_size=0 if idle else 1,
    )


@cache
def _column(size):
    return st.just([]) | st.lists(offsets, min_size=size, max_size=size)


@cache
def _names(fewest, most):
    return st.lists(st.sampled_from(MEMBER_IDS), unique=True, min_size=fewest, max_size=most)


@cache
def _instances(count: int, shared: bool):
    if shared:
        return st.lists(st.none() | st.sampled_from(INSTANCE_IDS), min_size=count, max_size=count)
    return st.permutations([*INSTANCE_IDS, *[None] * count]).map(lambda drawn: drawn[:count])


@cache
def _member(topic_names, instance, claims, idle, racks, repeated):
    known = (
        st.lists(
            st.sampled_from(topic_names), min_size=0 if idle else 1, max_size=4, unique=not repeated
        )
        if topic_names
        else st.just([])
    )
    gone = st.just([]) | st.lists(st.sampled_from(GONE), max_size=1)
    claimed = st.lists(
        st.tuples(st.sampled_from([*TOPICS, *GONE]), st.integers(0, 9)), unique=True, max_size=6
    ).map(sorted)
    return st.builds(
        lambda topics, others, rack, owned, generation: Member(
            " ".join(topics + others),
            instance,
            rack,
            " ".join(f"{name}-{number}" for name, number in owned),
            generation,
        ),
        known,
        gone,
        st.none() | st.sampled_from(RACKS) if racks else st.none(),
        claimed if claims else st.just([]),
        st.integers(NO_GENERATION, 3) if claims else st.just(NO_GENERATION),
    )


@cache
def _replica_racks(size):
    line = st.lists(st.sampled_from([*RACKS, "r4", "-"]), max_size=3).map(" ".join)
    return st.lists(line, min_size=size, max_size=size) | st.lists(
        st.just(" ".join(RACKS)), min_size=size, max_size=size
    )
