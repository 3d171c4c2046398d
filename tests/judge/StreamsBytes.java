import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.internals.assignment.AssignmentInfo;
import org.apache.kafka.streams.processor.internals.assignment.SubscriptionInfo;
import org.apache.kafka.streams.state.HostInfo;

/** The user data of Kafka Streams as Kafka's own classes write it, in hexadecimal digits. */
final class StreamsBytes {
    private StreamsBytes() {}

    static String subscription(JsonNode sent) {
        Map<TaskId, Long> sums = new HashMap<>();
        sent.path("offset_sums").fields().forEachRemaining(sum -> sums.put(task(sum.getKey(), sent), sum.getValue().asLong()));
        Map<String, String> tags = new HashMap<>();
        sent.path("client_tags").fields().forEachRemaining(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        var processId = new ProcessId(UUID.fromString(sent.get("process_id").asText()));
        int version = sent.get("version").asInt();
        return hex(new SubscriptionInfo(version, version < 3 ? -1 : 11, processId, sent.path("end_point").textValue(), sums, (byte) 3,
            sent.path("error_code").asInt(), tags).encode());
    }

    static String assignment(JsonNode given) {
        List<TaskId> active = new ArrayList<>();
        given.path("active").forEach(id -> active.add(task(id.asText(), given)));
        Map<TaskId, Set<TopicPartition>> standby = new HashMap<>();
        given.path("standby").fields().forEachRemaining(each -> standby.put(task(each.getKey(), given), places(each.getValue())));
        var info = new AssignmentInfo(given.get("version").asInt(), 11, active, standby, hosts(given.path("hosts")),
            hosts(given.path("standby_hosts")), given.path("error_code").asInt());
        info.setNextRebalanceTime(given.path("next_rebalance_ms").asLong());
        return hex(info.encode());
    }

    private static TaskId task(String id, JsonNode document) {
        TaskId plain = TaskId.parse(id);
        return new TaskId(plain.subtopology(), plain.partition(), document.path("named_topology").textValue());
    }

    private static Map<HostInfo, Set<TopicPartition>> hosts(JsonNode named) {
        Map<HostInfo, Set<TopicPartition>> found = new HashMap<>();
        named.fields().forEachRemaining(each -> found.put(new HostInfo(each.getKey(), 8080), places(each.getValue())));
        return found;
    }

    private static Set<TopicPartition> places(JsonNode listed) {
        Set<TopicPartition> found = new HashSet<>();
        listed.forEach(each -> found.add(new TopicPartition(each.get(0).asText(), each.get(1).asInt())));
        return found;
    }

    private static String hex(ByteBuffer octets) {
        byte[] copied = new byte[octets.remaining()];
        octets.get(copied);
        return HexFormat.of().formatHex(copied);
    }
}
