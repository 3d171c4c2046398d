import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataDelta;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.ShareGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMemberValue;
import org.apache.kafka.coordinator.group.generated.ShareGroupTargetAssignmentMemberValue;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.ModernGroup;
import org.apache.kafka.coordinator.group.modern.SubscriptionCount;
import org.apache.kafka.coordinator.group.modern.TargetAssignmentBuilder.ConsumerTargetAssignmentBuilder;
import org.apache.kafka.coordinator.group.modern.TargetAssignmentBuilder.ShareTargetAssignmentBuilder;
import org.apache.kafka.coordinator.group.modern.consumer.ConsumerGroup;
import org.apache.kafka.coordinator.group.modern.consumer.ConsumerGroupMember;
import org.apache.kafka.coordinator.group.modern.consumer.ResolvedRegularExpression;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupMember;

/** The broker's assignors, through the broker's own builder of target assignments. Numbers come in the order of the record that the broker would write. */
final class Broker {
    private static final int EPOCH = 1;
    private final Group group;
    private final Image image;
    private final Map<String, SubscriptionCount> subscribed = new HashMap<>();
    private final Map<String, Integer> expressions = new HashMap<>();
    private final Map<Uuid, Map<Integer, String>> owner = new HashMap<>();
    private final Handed handed = new Handed();

    private Broker(Group group) {
        this.group = group;
        image = new Image(group);
        for (JsonNode member : group.members) {
            new HashSet<>(Group.subscribed(member)).forEach(name -> subscribed.compute(name, SubscriptionCount::incNameCount));
            Group.text(member, "subscribed_regex").ifPresent(expression -> expressions.merge(expression, 1, Integer::sum));
            member.path("owned").fields().forEachRemaining(topic -> topic.getValue().forEach(number ->
                owner.computeIfAbsent(image.id(topic.getKey()), id -> new HashMap<>()).put(number.intValue(), member.get("member_id").asText())));
        }
    }

    static Judge.Question<ConsumerGroupPartitionAssignor, Map<String, MemberAssignment>> consumer(Group group) {
        var broker = new Broker(group);
        var resolved = broker.resolved();
        // ConsumerGroup.updateResolvedRegularExpression counts a topic once for each expression, however many members have it.
        resolved.forEach((expression, topics) -> topics.topics().forEach(name -> broker.subscribed.compute(name, SubscriptionCount::incRegexCount)));
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
        var type = ConsumerGroup.subscriptionType(broker.expressions, broker.subscribed, members.size());
        return new Judge.Question<>() {
            @Override
            public Map<String, MemberAssignment> asked(ConsumerGroupPartitionAssignor assignor) {
                return new ConsumerTargetAssignmentBuilder(group.id, EPOCH, assignor)
                    .withTime(Time.SYSTEM)
                    .withMembers(members)
                    .withResolvedRegularExpressions(resolved)
                    .withSubscriptionType(type)
                    .withTargetAssignment(stored)
                    .withInvertedTargetAssignment(broker.owner)
                    .withMetadataImage(broker.image)
                    .build().targetAssignment();
            }

            @Override
            public Answer answer(Map<String, MemberAssignment> given) {
                return broker.answer(given);
            }

            @Override
            public Object alone(ConsumerGroupPartitionAssignor assignor) {
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
        var type = ModernGroup.subscriptionType(broker.subscribed, members.size());
        return new Judge.Question<>() {
            @Override
            public Map<String, MemberAssignment> asked(ShareGroupPartitionAssignor assignor) {
                return new ShareTargetAssignmentBuilder(group.id, EPOCH, assignor)
                    .withTime(Time.SYSTEM)
                    .withMembers(members)
                    .withSubscriptionType(type)
                    .withTargetAssignment(stored)
                    .withInvertedTargetAssignment(broker.owner)
                    .withMetadataImage(broker.image)
                    .build().targetAssignment();
            }

            @Override
            public Answer answer(Map<String, MemberAssignment> given) {
                return broker.answer(given);
            }

            @Override
            public Object alone(ShareGroupPartitionAssignor assignor) {
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

    private Map<String, ResolvedRegularExpression> resolved() {
        Map<String, ResolvedRegularExpression> resolved = new HashMap<>();
        for (String expression : expressions.keySet()) {
            // The record lists the topics sorted; what is read from it is a set made of that list.
            List<String> topics = image.topicNames().stream().filter(name -> Pattern.matches(expression, name)).sorted().toList();
            resolved.put(expression, new ResolvedRegularExpression(new HashSet<>(topics), 1, 0));
        }
        return resolved;
    }

    /** The stored target assignment, in document order. */
    private Map<Uuid, List<Integer>> stored(JsonNode member) {
        Map<Uuid, List<Integer>> stored = new LinkedHashMap<>();
        member.path("owned").fields().forEachRemaining(topic -> {
            List<Integer> numbers = stored.computeIfAbsent(image.id(topic.getKey()), id -> new ArrayList<>());
            topic.getValue().forEach(number -> numbers.add(number.intValue()));
        });
        return stored;
    }

    private Answer answer(Map<String, MemberAssignment> target) {
        Map<String, Map<String, int[]>> answer = new LinkedHashMap<>();
        for (String member : group.memberIds()) {
            Map<String, int[]> topics = new LinkedHashMap<>();
            if (target.containsKey(member)) {
                target.get(member).partitions().forEach((id, numbers) -> topics.put(image.nameOf(id), numbers.stream().mapToInt(Integer::intValue).toArray()));
            }
            answer.put(member, topics);
        }
        return new Answer(answer, Map.of(), null);
    }

    /** What the broker knows of the topics. A topic whose id the document does not give has the version-3 UUID of its name. */
    private static final class Image implements CoordinatorMetadataImage {
        private record Topic(String name, Uuid id, int partitionCount) implements TopicMetadata {
            @Override
            public List<String> partitionRacks(int partition) {
                return List.of();
            }
        }

        private final Map<String, Topic> byName = new LinkedHashMap<>();
        private final Map<Uuid, String> names = new HashMap<>();

        Image(Group group) {
            for (JsonNode topic : group.topics) {
                String name = topic.get("name").asText();
                Uuid id = Group.text(topic, "topic_id").map(Uuid::fromString).orElseGet(() -> assumedId(name));
                byName.put(name, new Topic(name, id, Group.size(topic)));
                names.put(id, name);
            }
        }

        private static Uuid assumedId(String name) {
            var id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
            return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
        }

        /** Also of a topic that is gone. */
        Uuid id(String name) {
            if (byName.containsKey(name)) {
                return byName.get(name).id();
            }
            Uuid id = assumedId(name);
            names.putIfAbsent(id, name);
            return id;
        }

        String nameOf(Uuid id) {
            return names.get(id);
        }

        @Override
        public Set<Uuid> topicIds() {
            Set<Uuid> ids = new HashSet<>();
            byName.values().forEach(topic -> ids.add(topic.id()));
            return ids;
        }

        @Override
        public Set<String> topicNames() {
            return byName.keySet();
        }

        @Override
        public Optional<TopicMetadata> topicMetadata(String name) {
            return Optional.ofNullable(byName.get(name));
        }

        @Override
        public Optional<TopicMetadata> topicMetadata(Uuid id) {
            return Optional.ofNullable(byName.get(names.get(id)));
        }

        @Override
        public CoordinatorMetadataDelta emptyDelta() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long version() {
            return 1;
        }

        @Override
        public boolean isEmpty() {
            return byName.isEmpty();
        }
    }
}
