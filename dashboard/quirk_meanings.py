"""What each numbered behaviour of Kafka's is, and what an operator can do about it."""

from collections.abc import Mapping
from typing import NamedTuple

from assignors.facts import Facts


class Meaning(NamedTuple):
    """`what` as in `docs/assignors.md`; `action` None where there is nothing to do."""

    what: str
    action: str | None = None


_EQUAL = "Let all members subscribe to the same topics"

MEANINGS = {
    "Q-1": Meaning(
        "A member without rack takes part as if every partition were local to it. "
        "It can take the partitions that are local to another member, which then gets distant ones.",
        "Give every member a client.rack.",
    ),
    "Q-2": Meaning(
        "As soon as one topic needs racks, all topics of equal size and equal subscribers are handed out partition number by partition number, those too that need no racks. "
        "A member far from all replicas of such topics is then served last and gets the highest numbers, or none.",
        "Run members only in racks that hold replicas, or keep a replica of every partition in each of their racks.",
    ),
    "Q-3": Meaning(
        "Members that do not subscribe to a topic are skipped. With unequal subscriptions this is far from even: "
        "topics of 1, 2 and 3 partitions, read by one member, by two and by three, end as 1, 1 and 4.",
        f"{_EQUAL}, or choose an assignor that counts partitions, such as cooperative-sticky.",
    ),
    "Q-4": Meaning("The leader remembers the highest generation that it has ever seen (max_generation), across groups that started afresh."),
    "Q-5": Meaning(
        "Members that subscribe to nothing and come before the others in Java's map count as if they subscribed to everything, and get partitions of topics that they never "
        "asked for. Their clients refuse the assignment and rejoin, again and again: the group does not come to rest.",
        "Remove the member that subscribes to nothing, or let it subscribe.",
    ),
    "Q-6": Meaning(
        "A claimed partition number beyond the topic's size is kept. It can push other partitions to a second owner, or end in IllegalStateException.",
        "Restart the member that claims it.",
    ),
    "Q-8": Meaning(
        "With differing subscriptions a partition may go back to an owner of an older generation that no longer subscribes to its topic. "
        "Its client refuses the assignment and rejoins. With cooperative-sticky the next rebalance mends that, because all members then answer with one generation. "
        "With sticky that member says again what it owned before, so the same happens again and again: the group does not come to rest.",
        "Restart the member that claims partitions from an older generation.",
    ),
    "Q-9": Meaning('A partition moved "within its rack" goes to the subscriber with the fewest partitions, in whichever rack.'),
    "Q-10": Meaning("uniform, broker-range and simple do not look at racks.", "Where reading across racks is dear, choose range, sticky or cooperative-sticky: these look at racks."),
    "Q-12": Meaning(
        "Where subscriptions overlap in a chain, as when A and B share a topic and B and C another, uniform may end one off for each link of the chain.",
        f"{_EQUAL}, or make a group for each set of topics.",
    ),
    "Q-24": Meaning(
        "Totals start at 0 in every topic, so nothing is evened out across topics. "
        "The smallest member id wins every tie in every topic: with many topics of one partition one member gets them all.",
        "For many small topics choose an assignor that counts across topics, such as cooperative-sticky.",
    ),
    "Q-25": Meaning(
        "Two live members with one group.instance.id (a configuration fault that shows while one replaces the other) are ordered by the hash codes of their member ids, "
        "as Java's map iterates them.",
        "Give each member its own group.instance.id.",
    ),
    "Q-29": Meaning(
        "simple gives every partition to several members where there are more members than partitions. "
        "With differing subscriptions, partitions of a topic that nobody subscribes to any more stay where they are.",
        "Nothing for what is shared. What nobody subscribes to any more is given up once all members subscribe to the same topics.",
    ),
}


def named(facts: Mapping[str, Facts]) -> list[str]:
    """Return the numbers of the behaviours that strike in some answer, ascending."""
    names = {quirk.name for known in facts.values() for quirk in known.quirks}
    shared = {"Q-29"} if any(known.sharing for known in facts.values()) else set()
    return sorted((names | shared) & MEANINGS.keys(), key=lambda name: int(name[2:]))
