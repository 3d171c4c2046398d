import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.internals.AbstractStickyAssignor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.SimpleAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;

/** Answers with Kafka's own classes by the names that `evenkeel assign` knows; every other assignor is the name of a class. */
public final class Judge {
    private static final Map<String, String> CLASSES = Map.of(
        "range", "org.apache.kafka.clients.consumer.RangeAssignor",
        "roundrobin", "org.apache.kafka.clients.consumer.RoundRobinAssignor",
        "sticky", "org.apache.kafka.clients.consumer.StickyAssignor",
        "cooperative-sticky", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");

    public static void main(String[] arguments) throws Exception {
        Host.serve(Judge::answer, arguments);
    }

    static Answer answer(JsonNode request) throws Exception {
        String name = request.path("assignor").asText();
        JsonNode document = request.path("group");
        return switch (name) {
            case "uniform" -> Broker.consumer(new UniformAssignor(), new Group(document));
            case "broker-range" -> Broker.consumer(new RangeAssignor(), new Group(document));
            case "simple" -> Broker.share(new SimpleAssignor(), new Group(document));
            case "lag" -> Answer.of(withMatches(document), LagReading.assigned(withMatches(document)), Map.of());
            default -> classic(CLASSES.getOrDefault(name, name), withMatches(document), request.path("settings").path("max_generation").asInt(-1));
        };
    }

    private static Answer classic(String type, Group group, int maxGeneration) throws Exception {
        Host.Fresh fresh = () -> remembering(maxGeneration, ConsumerPartitionAssignor.getAssignorInstances(List.of(type), Map.of("group.id", group.id)).get(0));
        var cluster = group.cluster();
        var subscriptions = group.subscriptions(fresh);
        var assigned = Host.assigned(fresh.assignor(), cluster, subscriptions);
        if (!type.equals(CLASSES.get("cooperative-sticky"))) {
            return Answer.of(group, assigned, Map.of());
        }
        var uncut = Host.assigned(remembering(maxGeneration, new FirstStep()), cluster, subscriptions);
        return Answer.of(group, assigned, removed(uncut, assigned));
    }

    private static ConsumerPartitionAssignor remembering(int maxGeneration, ConsumerPartitionAssignor assignor) throws Exception {
        if (assignor instanceof AbstractStickyAssignor) {
            Field highest = AbstractStickyAssignor.class.getDeclaredField("maxGeneration");
            highest.setAccessible(true);
            highest.setInt(assignor, maxGeneration);
        }
        return assignor;
    }

    private static Map<String, List<TopicPartition>> removed(Map<String, List<TopicPartition>> uncut, Map<String, List<TopicPartition>> cut) {
        Map<String, List<TopicPartition>> removed = new HashMap<>();
        uncut.forEach((member, partitions) -> {
            List<TopicPartition> left = new ArrayList<>(partitions);
            cut.get(member).forEach(left::remove);
            if (!left.isEmpty()) {
                removed.put(member, left);
            }
        });
        return removed;
    }

    /** A member's regular expression adds the topics that match it to the names that it subscribes to. */
    private static Group withMatches(JsonNode document) {
        Group group = new Group(document);
        for (JsonNode member : group.members) {
            Group.text(member, "subscribed_regex").ifPresent(expression -> {
                var names = new TreeSet<>(Group.subscribed(member));
                group.topicNames().stream().filter(name -> Pattern.matches(expression, name)).forEach(names::add);
                ((ObjectNode) member).set("subscribed", Host.JSON.valueToTree(names));
            });
        }
        return group;
    }

    /** CooperativeStickyAssignor without its second step. */
    private static final class FirstStep extends AbstractStickyAssignor {
        private static final class Reader extends CooperativeStickyAssignor {
            @Override
            public MemberData memberData(Subscription subscription) {
                return super.memberData(subscription);
            }
        }

        private final Reader reader = new Reader();

        @Override
        protected MemberData memberData(Subscription subscription) {
            return reader.memberData(subscription);
        }

        @Override
        public String name() {
            return reader.name();
        }
    }
}
