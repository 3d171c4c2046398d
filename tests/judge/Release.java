import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.PartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.ModernGroup;
import org.apache.kafka.coordinator.group.modern.SubscriptionCount;
import org.apache.kafka.coordinator.group.modern.TargetAssignmentBuilder;
import org.apache.kafka.coordinator.group.modern.TargetAssignmentBuilder.ConsumerTargetAssignmentBuilder;
import org.apache.kafka.coordinator.group.modern.consumer.ConsumerGroup;
import org.apache.kafka.coordinator.group.modern.consumer.ResolvedRegularExpression;
import org.apache.kafka.image.AclsImage;
import org.apache.kafka.image.ClientQuotasImage;
import org.apache.kafka.image.ClusterImage;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.image.DelegationTokenImage;
import org.apache.kafka.image.FeaturesImage;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.ProducerIdsImage;
import org.apache.kafka.image.ScramImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsImage;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * The broker's builder of target assignments in the release that runs, 3.9.0 to the newest.
 *
 * <p>All sources are compiled against the newest release: what an older one does not have may be named, but not reached.
 */
final class Release {
    /** From 4.0 on members may subscribe by regular expression, and groups of consumers have a builder of their own. */
    static final boolean KNOWS_EXPRESSIONS = Modifier.isAbstract(TargetAssignmentBuilder.class.getModifiers());

    static final int EPOCH = 1;

    private Release() {}

    /** A builder for consumers, which knows to what topics each regular expression leads. */
    static TargetAssignmentBuilder consumer(String group, PartitionAssignor assignor, Map<String, Set<String>> resolved) throws Exception {
        if (KNOWS_EXPRESSIONS) {
            return Expressions.consumer(group, assignor, resolved);
        }
        if (!resolved.isEmpty()) {
            throw new UnsupportedOperationException("regular expressions, which brokers know from 4.0 on");
        }
        return TargetAssignmentBuilder.class.getConstructor(String.class, int.class, PartitionAssignor.class).newInstance(group, EPOCH, assignor);
    }

    /** Whether all members subscribe to the same, as the group of this release finds out from how many members subscribe to a topic and have an expression. */
    static SubscriptionType subscriptionType(Map<String, Integer> subscribed, Map<String, Integer> expressions, Map<String, Set<String>> resolved, int members) {
        return KNOWS_EXPRESSIONS ? Expressions.subscriptionType(subscribed, expressions, resolved, members) : ModernGroup.subscriptionType((Map) subscribed, members);
    }

    /** A class of its own, so that a release without them never loads theirs. */
    private static final class Expressions {
        static TargetAssignmentBuilder consumer(String group, PartitionAssignor assignor, Map<String, Set<String>> resolved) {
            Map<String, ResolvedRegularExpression> expressions = new HashMap<>();
            resolved.forEach((expression, names) -> expressions.put(expression, new ResolvedRegularExpression(names, 1, 0)));
            return new ConsumerTargetAssignmentBuilder(group, EPOCH, assignor).withResolvedRegularExpressions(expressions);
        }

        static SubscriptionType subscriptionType(Map<String, Integer> subscribed, Map<String, Integer> expressions, Map<String, Set<String>> resolved, int members) {
            Map<String, SubscriptionCount> counts = new HashMap<>();
            subscribed.forEach((name, count) -> counts.put(name, new SubscriptionCount(count, 0)));
            // ConsumerGroup.updateResolvedRegularExpression counts a topic once for each expression, however many members have it.
            resolved.values().forEach(names -> names.forEach(name -> counts.compute(name, SubscriptionCount::incRegexCount)));
            return ConsumerGroup.subscriptionType(expressions, counts, members);
        }
    }

    /** What the assignor of a builder gives to each member, by the members' ids. */
    static Map<String, MemberAssignment> target(TargetAssignmentBuilder builder, Map<String, ?> members, SubscriptionType type, Map<String, Assignment> stored,
            Map<Uuid, Map<Integer, String>> owner, Topics topics) throws Exception {
        tell(builder, topics);
        return builder.withMembers(members).withSubscriptionType(type).withTargetAssignment(stored).withInvertedTargetAssignment(owner).build().targetAssignment();
    }

    /** Tells the topics, by the names that this release has for it, and the time where it wants to know. */
    private static void tell(TargetAssignmentBuilder<?, ?> builder, Topics topics) throws Exception {
        for (Method method : TargetAssignmentBuilder.class.getMethods()) {
            Object told = switch (method.getName()) {
                case "withTime" -> Time.SYSTEM;
                case "withMetadataImage" -> method.getParameterTypes()[0] == MetadataImage.class ? metadata(topics) : new Image(topics);
                case "withTopicsImage" -> image(topics);
                case "withSubscriptionMetadata" -> sizes(topics);
                default -> null;
            };
            if (told != null) {
                method.invoke(builder, told);
            }
        }
    }

    /** Before 4.2. */
    private static MetadataImage metadata(Topics topics) {
        return new MetadataImage(MetadataProvenance.EMPTY, FeaturesImage.EMPTY, ClusterImage.EMPTY, image(topics), ConfigurationsImage.EMPTY,
            ClientQuotasImage.EMPTY, ProducerIdsImage.EMPTY, AclsImage.EMPTY, ScramImage.EMPTY, DelegationTokenImage.EMPTY);
    }

    private static TopicsImage image(Topics topics) {
        TopicsImage image = TopicsImage.EMPTY;
        for (Topics.Topic topic : topics.byName.values()) {
            Map<Integer, PartitionRegistration> partitions = new HashMap<>();
            for (int number = 0; number < topic.partitionCount(); number++) {
                partitions.put(number, null);
            }
            image = image.including(new TopicImage(topic.name(), topic.id(), partitions));
        }
        return image;
    }

    /** Before 4.1; in 3.9 with the racks of each partition, which no assignor reads. */
    private static Map<String, Object> sizes(Topics topics) throws Exception {
        var constructor = Class.forName("org.apache.kafka.coordinator.group.modern.TopicMetadata").getConstructors()[0];
        Map<String, Object> sizes = new HashMap<>();
        for (Topics.Topic topic : topics.byName.values()) {
            Object[] values = {topic.id(), topic.name(), topic.partitionCount(), Map.of()};
            sizes.put(topic.name(), constructor.newInstance(Arrays.copyOf(values, constructor.getParameterCount())));
        }
        return sizes;
    }
}
