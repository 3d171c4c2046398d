import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.RebalanceProtocol;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Answers for consumer groups with a ConsumerPartitionAssignor: one JSON line in, one JSON line out, as `evenkeel assign --jsonl` does.
 *
 * <p>Argument: seconds that a request may still take when the input has ended. After that the JVM ends, with everything that an
 * assignor has started.
 */
public final class Host {
    static final ObjectMapper JSON = new ObjectMapper();

    /** Answers one request with an Answer or a record like it. */
    interface Judge {
        Object answer(JsonNode request) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        serve(Host::answer, arguments);
    }

    /** Reads in one thread and answers in another, so that an assignor that hangs does not hide the end of the input. */
    static void serve(Judge judge, String[] arguments) throws Exception {
        long patience = arguments.length == 0 ? 0 : (long) (1000 * Double.parseDouble(arguments[0]));
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var silence = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(silence);
        System.setErr(silence);
        BlockingQueue<Optional<String>> requests = new LinkedBlockingQueue<>();
        var worker = new Thread(null, () -> answerAll(judge, requests, out), "answers", 64L << 20);
        worker.setDaemon(true);
        worker.start();
        out.println("ready");
        out.flush();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            requests.put(Optional.of(line));
        }
        requests.put(Optional.empty());
        worker.join(patience);
        Runtime.getRuntime().halt(worker.isAlive() ? 1 : 0);
    }

    private static void answerAll(Judge judge, BlockingQueue<Optional<String>> requests, PrintStream out) {
        try {
            for (var line = requests.take(); line.isPresent(); line = requests.take()) {
                if (!line.get().isBlank()) {
                    out.println(JSON.writeValueAsString(answerOrFailure(judge, line.get())));
                    out.flush();
                }
            }
        } catch (Exception broken) {
            Runtime.getRuntime().halt(2);
        }
    }

    private static Object answerOrFailure(Judge judge, String line) {
        try {
            return judge.answer(JSON.readTree(line));
        } catch (Throwable failure) {
            return new Answer(Map.of(), Map.of(), new Failure(failure.getClass().getSimpleName(), String.valueOf(failure.getMessage())));
        }
    }

    /** `assignor` names a class; `settings` are what it is configured with, beside the group's id. */
    private static Answer answer(JsonNode request) throws Exception {
        var group = new Group(request.path("group"));
        Map<String, Object> settings = new HashMap<>(Map.of("group.id", group.id));
        request.path("settings").fields().forEachRemaining(setting -> settings.put(setting.getKey(), setting.getValue().asText()));
        Fresh fresh = () -> ConsumerPartitionAssignor.getAssignorInstances(List.of(request.path("assignor").asText()), settings).get(0);
        return Answer.of(group, assigned(fresh.assignor(), group.cluster(), group.subscriptions(fresh)), Map.of());
    }

    /** Makes assignors as a consumer does: configured, with nothing remembered. */
    interface Fresh {
        ConsumerPartitionAssignor assignor() throws Exception;
    }

    /** The partitions that the leader's assignor gives to each member. */
    static Map<String, List<TopicPartition>> assigned(
            ConsumerPartitionAssignor assignor, Cluster cluster, GroupSubscription subscriptions) {
        Map<String, List<TopicPartition>> assigned = new HashMap<>();
        Map<String, Assignment> answer = assignor.assign(cluster, subscriptions).groupAssignment();
        answer.forEach((member, assignment) -> assigned.put(member, assignment.partitions()));
        return assigned;
    }
}

/** Java's simple class name of what was thrown. */
record Failure(String type, String message) {}

record Answer(Map<String, Map<String, int[]>> assignment, Map<String, Map<String, int[]>> withheld, List<String> assumed, Failure error) {
    Answer(Map<String, Map<String, int[]>> assignment, Map<String, Map<String, int[]>> withheld, Failure error) {
        this(assignment, withheld, List.of(), error);
    }

    /** Every member of the group is a key of the assignment; `withheld` lists members that wait for something. */
    static Answer of(Group group, Map<String, List<TopicPartition>> assigned, Map<String, List<TopicPartition>> withheld) {
        Map<String, Map<String, int[]>> assignment = new LinkedHashMap<>();
        group.memberIds().forEach(member -> assignment.put(member, byTopic(assigned.getOrDefault(member, List.of()))));
        Map<String, Map<String, int[]>> kept = new TreeMap<>();
        withheld.forEach((member, partitions) -> kept.put(member, byTopic(partitions)));
        return new Answer(assignment, kept, null);
    }

    private static Map<String, int[]> byTopic(Collection<TopicPartition> partitions) {
        Map<String, IntStream.Builder> numbers = new TreeMap<>();
        partitions.forEach(tp -> numbers.computeIfAbsent(tp.topic(), topic -> IntStream.builder()).add(tp.partition()));
        Map<String, int[]> sorted = new LinkedHashMap<>();
        numbers.forEach((topic, each) -> sorted.put(topic, each.build().sorted().distinct().toArray()));
        return sorted;
    }
}

/** A group document. */
final class Group {
    static final Comparator<TopicPartition> IN_ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);
    final String id;
    final String autoOffsetReset;
    final List<JsonNode> topics;
    final List<JsonNode> members;

    Group(JsonNode document) {
        id = document.path("group_id").asText("");
        autoOffsetReset = document.path("auto_offset_reset").textValue();
        topics = elements(document.path("topics"));
        members = elements(document.path("members"));
    }

    static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).collect(Collectors.toList());
    }

    static Optional<String> text(JsonNode node, String key) {
        return Optional.ofNullable(node.path(key).textValue());
    }

    static List<String> subscribed(JsonNode member) {
        return elements(member.path("subscribed")).stream().map(JsonNode::asText).sorted().collect(Collectors.toList());
    }

    List<String> memberIds() {
        return members.stream().map(member -> member.get("member_id").asText()).collect(Collectors.toList());
    }

    List<String> topicNames() {
        return topics.stream().map(topic -> topic.get("name").asText()).collect(Collectors.toList());
    }

    static int size(JsonNode topic) {
        JsonNode partitions = topic.get("partitions");
        return partitions.isInt() ? partitions.intValue() : partitions.size();
    }

    /** The cluster as the leader knows it. Each time that one partition names a rack, the rack is a broker of its own. */
    Cluster cluster() {
        Map<String, Node> brokers = new LinkedHashMap<>();
        Node[] unknown = {broker(brokers, "?", null)};
        List<PartitionInfo> partitions = new ArrayList<>();
        for (JsonNode topic : topics) {
            for (int number = 0; number < size(topic); number++) {
                JsonNode racks = topic.get("partitions").path(number).path("racks");
                Node[] replicas = racks.isArray() ? replicas(brokers, racks) : unknown;
                Node leader = replicas.length == 0 ? null : replicas[0];
                partitions.add(new PartitionInfo(topic.get("name").asText(), number, leader, replicas, replicas));
            }
        }
        return new Cluster("evenkeel", brokers.values(), partitions, Set.of(), Set.of());
    }

    private static Node[] replicas(Map<String, Node> brokers, JsonNode racks) {
        Node[] replicas = new Node[racks.size()];
        Map<String, Integer> seen = new HashMap<>();
        for (int place = 0; place < replicas.length; place++) {
            String rack = racks.get(place).textValue();
            replicas[place] = broker(brokers, rack + "#" + seen.merge(String.valueOf(rack), 1, Integer::sum), rack);
        }
        return replicas;
    }

    private static Node broker(Map<String, Node> brokers, String key, String rack) {
        return brokers.computeIfAbsent(key, absent -> new Node(brokers.size(), "broker", 9092, rack));
    }

    /** The subscriptions that the leader receives: a no-argument HashMap, filled in document order. */
    GroupSubscription subscriptions(Host.Fresh fresh) throws Exception {
        ConsumerPartitionAssignor assignor = fresh.assignor();
        boolean keeps = assignor.supportedProtocols().contains(RebalanceProtocol.COOPERATIVE);
        Class<?> speaker = assignor.getClass().getMethod("subscriptionUserData", Set.class).getDeclaringClass();
        boolean talks = speaker != ConsumerPartitionAssignor.class;
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (JsonNode member : members) {
            ByteBuffer userData = talks ? userData(fresh.assignor(), member) : null;
            List<TopicPartition> owned = keeps ? owned(member) : List.of();
            var sent = new Subscription(subscribed(member), userData, owned, generation(member), text(member, "rack"));
            Subscription received = ConsumerProtocol.deserializeSubscription(ConsumerProtocol.serializeSubscription(sent));
            received.setGroupInstanceId(text(member, "instance_id"));
            subscriptions.put(member.get("member_id").asText(), received);
        }
        return new GroupSubscription(subscriptions);
    }

    private static int generation(JsonNode member) {
        return member.path("generation").asInt(-1);
    }

    private static List<TopicPartition> owned(JsonNode member) {
        List<TopicPartition> owned = new ArrayList<>();
        member.path("owned").fields().forEachRemaining(
                topic -> topic.getValue().forEach(number -> owned.add(new TopicPartition(topic.getKey(), number.intValue()))));
        owned.sort(IN_ORDER);
        return owned;
    }

    /** The user data that the member's own assignor sends, after it was told which partitions the member owns. */
    private ByteBuffer userData(ConsumerPartitionAssignor assignor, JsonNode member) {
        List<TopicPartition> owned = owned(member);
        if (!owned.isEmpty() || generation(member) >= 0) {
            String memberId = member.get("member_id").asText();
            var about = new ConsumerGroupMetadata(id, generation(member), memberId, text(member, "instance_id"));
            assignor.onAssignment(new Assignment(owned), about);
        }
        return assignor.subscriptionUserData(new HashSet<>(subscribed(member)));
    }
}
