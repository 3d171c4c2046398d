import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.ShareGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMemberValue;
import org.apache.kafka.coordinator.group.generated.ShareGroupTargetAssignmentMemberValue;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.TargetAssignmentBuilder.ShareTargetAssignmentBuilder;
import org.apache.kafka.coordinator.group.modern.consumer.ConsumerGroupMember;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupMember;

/** The broker's assignors, through the broker's own builder of target assignments. Numbers come in the order of the record that the broker would write. */
final class Broker {
    private final Group group;
    private final Topics topics;
    private final Map<String, Integer> subscribed = new HashMap<>();
    private final Map<String, Integer> expressions = new HashMap<>();
    private final Map<Uuid, Map<Integer, String>> owner = new HashMap<>();
    private final Handed handed = new Handed();

    private Broker(Group group) {
        this.group = group;
        topics = new Topics(group);
        for (JsonNode member : group.members) {
            new HashSet<>(Group.subscribed(member)).forEach(name -> subscribed.merge(name, 1, Integer::sum));
            Group.text(member, "subscribed_regex").ifPresent(expression -> expressions.merge(expression, 1, Integer::sum));
            member.path("owned").fields().forEachRemaining(topic -> topic.getValue().forEach(number ->
                owner.computeIfAbsent(topics.id(topic.getKey()), id -> new HashMap<>()).put(number.intValue(), member.get("member_id").asText())));
        }
    }

    static Judge.Question<ConsumerGroupPartitionAssignor, Map<String, MemberAssignment>> consumer(Group group) {
        var broker = new Broker(group);
        var resolved = broker.resolved();
        Map<String, ConsumerGroupMember> members = new LinkedHashMap<>();
        Map<String, Assignment> stored = new HashMap<>();
        for (JsonNode member : group.members) {
            String id = member.get("member_id").asText();
            members.put(id, new ConsumerGroupMember.Builder(id)
                .setInstanceId(Group.text(member, "instance_id").orElse(null))
                .setRackId(Group.text(member, "rack").orElse(null))
                .setSubscribedTopicNames(Group.subscribed(member))
                .setSubscribedTopicRegex(Group.text(member, "subscribed_regex").orElse(""))
                .build());
            var record = new ConsumerGroupTargetAssignmentMemberValue();
            broker.stored(member).forEach((topic, numbers) -> record.topicPartitions()
                .add(new ConsumerGroupTargetAssignmentMemberValue.TopicPartition().setTopicId(topic).setPartitions(numbers)));
            stored.put(id, Assignment.fromRecord(record));
        }
        var type = Release.subscriptionType(broker.subscribed, broker.expressions, resolved, members.size());
        return new Judge.Question<>() {
            @Override
            public Map<String, MemberAssignment> asked(ConsumerGroupPartitionAssignor assignor) throws Exception {
                return Release.target(Release.consumer(group.id, assignor, resolved), members, type, stored, broker.owner, broker.topics);
            }

            @Override
            public Answer answer(Map<String, MemberAssignment> given) {
                return broker.answer(given);
            }

            @Override
            public Object alone(ConsumerGroupPartitionAssignor assignor) throws Exception {
                if (broker.handed.members == null) {
                    asked(broker.handed);
                }
                return assignor.assign(broker.handed.members, broker.handed.topics);
            }
        };
    }

    static Judge.Question<ShareGroupPartitionAssignor, Map<String, MemberAssignment>> share(Group group) {
        var broker = new Broker(group);
        Map<String, ShareGroupMember> members = new LinkedHashMap<>();
        Map<String, Assignment> stored = new HashMap<>();
        for (JsonNode member : group.members) {
            String id = member.get("member_id").asText();
            members.put(id, new ShareGroupMember.Builder(id)
                .setRackId(Group.text(member, "rack").orElse(null))
                .setSubscribedTopicNames(Group.subscribed(member))
                .build());
            var record = new ShareGroupTargetAssignmentMemberValue();
            broker.stored(member).forEach((topic, numbers) -> record.topicPartitions()
                .add(new ShareGroupTargetAssignmentMemberValue.TopicPartition().setTopicId(topic).setPartitions(numbers)));
            stored.put(id, Assignment.fromRecord(record));
        }
        var type = Release.subscriptionType(broker.subscribed, Map.of(), Map.of(), members.size());
        return new Judge.Question<>() {
            @Override
            public Map<String, MemberAssignment> asked(ShareGroupPartitionAssignor assignor) throws Exception {
                return Release.target(new ShareTargetAssignmentBuilder(group.id, Release.EPOCH, assignor), members, type, stored, broker.owner, broker.topics);
            }

            @Override
            public Answer answer(Map<String, MemberAssignment> given) {
                return broker.answer(given);
            }

            @Override
            public Object alone(ShareGroupPartitionAssignor assignor) throws Exception {
                if (broker.handed.members == null) {
                    asked(broker.handed);
                }
                return assignor.assign(broker.handed.members, broker.handed.topics);
            }
        };
    }

    /** Assigns nothing, but keeps what the builder hands to an assignor. */
    private static final class Handed implements ConsumerGroupPartitionAssignor, ShareGroupPartitionAssignor {
        private GroupSpec members;
        private SubscribedTopicDescriber topics;

        @Override
        public String name() {
            return "handed";
        }

        @Override
        public GroupAssignment assign(GroupSpec members, SubscribedTopicDescriber topics) {
            this.members = members;
            this.topics = topics;
            return new GroupAssignment(Map.of());
        }
    }

    private Map<String, Set<String>> resolved() {
        Map<String, Set<String>> resolved = new HashMap<>();
        for (String expression : expressions.keySet()) {
            // The record lists the topics sorted; what is read from it is a set made of that list.
            List<String> matching = topics.byName.keySet().stream().filter(name -> Pattern.matches(expression, name)).sorted().toList();
            resolved.put(expression, new HashSet<>(matching));
        }
        return resolved;
    }

    /** The stored target assignment, in document order. */
    private Map<Uuid, List<Integer>> stored(JsonNode member) {
        Map<Uuid, List<Integer>> stored = new LinkedHashMap<>();
        member.path("owned").fields().forEachRemaining(topic -> {
            List<Integer> numbers = stored.computeIfAbsent(topics.id(topic.getKey()), id -> new ArrayList<>());
            topic.getValue().forEach(number -> numbers.add(number.intValue()));
        });
        return stored;
    }

    private Answer answer(Map<String, MemberAssignment> target) {
        Map<String, Map<String, int[]>> answer = new LinkedHashMap<>();
        for (String member : group.memberIds()) {
            Map<String, int[]> given = new LinkedHashMap<>();
            if (target.containsKey(member)) {
                target.get(member).partitions().forEach((id, numbers) -> given.put(topics.nameOf(id), numbers.stream().mapToInt(Integer::intValue).toArray()));
            }
            answer.put(member, given);
        }
        return new Answer(answer, Map.of(), null);
    }
}
