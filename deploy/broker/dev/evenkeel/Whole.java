package dev.evenkeel;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;

/** Whether an answer gives each partition to one member that reads it: a broker stores whatever it is given. */
final class Whole {
    private final Map<Uuid, Seen> seen = new HashMap<>();

    private Whole(GroupSpec group, SubscribedTopicDescriber topics) {
        for (String member : group.memberIds()) {
            for (Uuid topic : group.memberSubscription(member).subscribedTopicIds()) {
                seen.computeIfAbsent(topic, one -> new Seen(topics.numPartitions(one), new BitSet()));
            }
        }
    }

    /** Returns what is wrong with an answer, null where nothing is. */
    static String fault(GroupAssignment answer, GroupSpec group, SubscribedTopicDescriber topics) {
        if (!answer.members().keySet().equals(new HashSet<>(group.memberIds()))) {
            return "it has " + answer.members().size() + " members, expected the " + group.memberIds().size() + " of the group";
        }
        Whole whole = new Whole(group, topics);
        for (String member : group.memberIds()) {
            Set<Uuid> subscribed = group.memberSubscription(member).subscribedTopicIds();
            for (Map.Entry<Uuid, Set<Integer>> owned : answer.members().get(member).partitions().entrySet()) {
                Seen topic = subscribed.contains(owned.getKey()) ? whole.seen.get(owned.getKey()) : null;
                if (topic == null) {
                    return member + " has partitions of topic " + owned.getKey() + ", which it does not read";
                }
                for (int number : owned.getValue()) {
                    if (number < 0 || number >= topic.size || topic.owned.get(number)) {
                        String why = number >= 0 && number < topic.size ? "another member has it too" : "it is not there";
                        return member + " has partition " + number + " of topic " + owned.getKey() + ": " + why;
                    }
                    topic.owned.set(number);
                }
            }
        }
        return whole.leftOut();
    }

    private String leftOut() {
        for (Map.Entry<Uuid, Seen> topic : seen.entrySet()) {
            int left = topic.getValue().size - topic.getValue().owned.cardinality();
            if (left > 0) {
                return left + " partitions of topic " + topic.getKey() + " have no owner";
            }
        }
        return null;
    }

    /** A topic that somebody reads: how many partitions it has, -1 where it is not there, and which of them an owner was seen of. */
    private record Seen(int size, BitSet owned) {}
}
