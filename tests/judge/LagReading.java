import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** The lag-based assignor of KAFKA-5337, written from its description: Kafka has no class for it. */
final class LagReading {
    private record Lagging(TopicPartition partition, long lag) {}

    private static final class Consumer {
        final String id;
        int count;
        long lag;

        Consumer(String id) {
            this.id = id;
        }
    }

    private final List<String> members;
    private final Map<String, List<String>> subscribers = new HashMap<>();
    private final Map<String, List<Lagging>> topics = new HashMap<>();

    LagReading(Group group) {
        members = group.memberIds();
        for (JsonNode member : group.members) {
            String id = member.get("member_id").asText();
            Group.subscribed(member).forEach(topic -> subscribers.computeIfAbsent(topic, none -> new ArrayList<>()).add(id));
        }
        String reset = group.autoOffsetReset;
        for (JsonNode topic : group.topics) {
            topics.put(topic.get("name").asText(), lagging(topic, reset == null || reset.equalsIgnoreCase("latest")));
        }
    }

    Map<String, List<TopicPartition>> assigned() {
        Map<String, List<TopicPartition>> assigned = new HashMap<>();
        members.forEach(member -> assigned.put(member, new ArrayList<>()));
        subscribers.forEach((topic, subscribed) -> {
            if (topics.containsKey(topic)) {
                assignTopic(new ArrayList<>(topics.get(topic)), subscribed, assigned);
            }
        });
        return assigned;
    }

    private static void assignTopic(List<Lagging> partitions, List<String> members, Map<String, List<TopicPartition>> assigned) {
        List<Consumer> consumers = new ArrayList<>();
        members.stream().distinct().forEach(member -> consumers.add(new Consumer(member)));
        Comparator<Consumer> first = Comparator.<Consumer>comparingInt(each -> each.count).thenComparingLong(each -> each.lag).thenComparing(each -> each.id);
        partitions.sort(Comparator.comparingLong(Lagging::lag).reversed().thenComparingInt(each -> each.partition().partition()));
        for (Lagging each : partitions) {
            Consumer consumer = Collections.min(consumers, first);
            assigned.get(consumer.id).add(each.partition());
            consumer.count++;
            consumer.lag += each.lag();
        }
    }

    private static List<Lagging> lagging(JsonNode topic, boolean latest) {
        List<Lagging> lagging = new ArrayList<>();
        for (int number = 0; number < Group.size(topic); number++) {
            lagging.add(new Lagging(new TopicPartition(topic.get("name").asText(), number), lag(topic.get("partitions").path(number), latest)));
        }
        return lagging;
    }

    private static long lag(JsonNode partition, boolean latest) {
        if (partition.path("lag").isNumber()) {
            return partition.get("lag").longValue();
        }
        long begin = partition.path("begin_offset").asLong(0);
        long end = partition.path("end_offset").asLong(0);
        long next = partition.path("committed_offset").asLong(latest ? end : begin);
        return Math.max(end - next, 0);
    }
}
