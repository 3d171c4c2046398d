import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;
import org.apache.kafka.streams.processor.internals.assignment.ClientState;
import org.apache.kafka.streams.processor.internals.assignment.FallbackPriorTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.LegacyTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.RackAwareTaskAssignor;
import org.slf4j.LoggerFactory;

/** Answers for a streams document with the task assignors of Kafka Streams. */
final class Streams {
    /** Each rebalance makes its own: the sticky ones remember what they read. */
    private static final Map<String, Supplier<LegacyTaskAssignor>> ASSIGNORS = Map.of(
        "high-availability", HighAvailabilityTaskAssignor::new,
        "legacy-sticky", LegacyStickyTaskAssignor::new,
        "fallback-prior", FallbackPriorTaskAssignor::new);

    record TaskAnswer(Map<String, Map<String, List<String>>> assignment, Map<String, Map<String, List<String>>> threads,
        Map<String, List<String>> withheld, boolean probing_rebalance, List<String> assumed, Failure error) {}

    private final JsonNode document;
    private final Map<TaskId, Set<TopicPartition>> partitions = new HashMap<>();
    private final Map<TopicPartition, TaskId> taskOf = new HashMap<>();
    private final Map<TaskId, Long> endOffsetSums = new HashMap<>();
    private final Set<TaskId> stateful = new HashSet<>();
    private final Map<ProcessId, ClientState> met = new HashMap<>();
    private final Map<ProcessId, ClientState> clients = new HashMap<>();
    private final Map<ProcessId, SortedSet<String>> consumers = new HashMap<>();
    private final Set<TopicPartition> owned = new HashSet<>();

    private Streams(JsonNode document) {
        this.document = document;
        readTasks();
        readConsumers();
        // The leader fills a second map in the order of the first one.
        met.forEach((id, client) -> {
            clients.put(id, client);
            client.initializePrevTasks(taskOf, false);
            client.computeTaskLags(id, endOffsetSums);
        });
    }

    static TaskAnswer answer(JsonNode request) throws Exception {
        return new Streams(request.path("group")).answer(request.path("assignor").asText(), configs(request));
    }

    private static AssignmentConfigs configs(JsonNode request) {
        JsonNode settings = request.path("settings");
        List<String> tags = new ArrayList<>();
        settings.path("rack.aware.assignment.tags").forEach(tag -> tags.add(tag.asText()));
        return new AssignmentConfigs(
            settings.path("acceptable.recovery.lag").asLong(10_000),
            settings.path("max.warmup.replicas").asInt(2),
            settings.path("num.standby.replicas").asInt(0),
            settings.path("probing.rebalance.interval.ms").asLong(600_000),
            tags, OptionalInt.empty(), OptionalInt.empty(), "none");
    }

    private void readTasks() {
        Map<TaskId, JsonNode> sorted = new TreeMap<>();
        document.path("tasks").forEach(task -> sorted.put(TaskId.parse(task.get("task_id").asText()), task));
        sorted.forEach((id, task) -> {
            partitions.put(id, Set.of(partition(id)));
            taskOf.put(partition(id), id);
            if (task.get("stateful").asBoolean()) {
                stateful.add(id);
                endOffsetSums.put(id, task.path("end_offset_sum").asLong(0));
            }
        });
    }

    private static TopicPartition partition(TaskId id) {
        return new TopicPartition("source-" + id.subtopology(), id.partition());
    }

    /** As the leader does: consumers in the order of a map, each added to the client that it belongs to. */
    private void readConsumers() {
        Map<String, JsonNode> subscriptions = new HashMap<>();
        Map<String, JsonNode> processOf = new HashMap<>();
        for (JsonNode process : document.path("processes")) {
            for (JsonNode consumer : process.path("consumers")) {
                subscriptions.put(consumer.get("member_id").asText(), consumer);
                processOf.put(consumer.get("member_id").asText(), process);
            }
        }
        subscriptions.forEach((id, consumer) -> {
            JsonNode process = processOf.get(id);
            var processId = new ProcessId(UUID.fromString(process.get("process_id").asText()));
            if (!met.containsKey(processId)) {
                met.put(processId, new ClientState(processId, tags(process)));
            }
            ClientState client = met.get(processId);
            client.incrementCapacity();
            consumers.computeIfAbsent(processId, each -> new TreeSet<>()).add(id);
            List<TopicPartition> claimed = new ArrayList<>();
            consumer.path("owned").forEach(task -> claimed.add(partition(TaskId.parse(task.asText()))));
            client.addOwnedPartitions(claimed, id);
            owned.addAll(claimed);
            Map<TaskId, Long> sums = new HashMap<>();
            consumer.path("task_offset_sums").fields().forEachRemaining(sum -> sums.put(TaskId.parse(sum.getKey()), sum.getValue().asLong()));
            client.addPreviousTasksAndOffsetSums(id, sums);
        });
    }

    private static Map<String, String> tags(JsonNode process) {
        Map<String, String> tags = new HashMap<>();
        process.path("client_tags").fields().forEachRemaining(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        return tags;
    }

    private TaskAnswer answer(String assignor, AssignmentConfigs configs) throws Exception {
        var racks = new RackAwareTaskAssignor(Cluster.empty(), partitions, Map.of(), Map.of(), Map.of(), null, configs, Time.SYSTEM);
        boolean probing = ASSIGNORS.get(assignor).get().assign(clients, partitions.keySet(), stateful, racks, configs);
        Map<String, Map<String, List<String>>> assignment = new LinkedHashMap<>();
        Map<String, Map<String, List<String>>> threads = new TreeMap<>();
        Map<String, List<String>> withheld = new TreeMap<>();
        for (JsonNode process : document.path("processes")) {
            String name = process.get("process_id").asText();
            var processId = new ProcessId(UUID.fromString(name));
            ClientState client = clients.get(processId);
            assignment.put(name, Map.of("active", names(client.activeTasks()), "standby", names(client.standbyTasks())));
            shareOut(client, consumers.get(processId), threads, withheld);
        }
        return new TaskAnswer(assignment, threads, withheld, probing, List.of(), null);
    }

    @SuppressWarnings("unchecked")
    private void shareOut(ClientState client, SortedSet<String> ids, Map<String, Map<String, List<String>>> threads, Map<String, List<String>> withheld)
            throws Exception {
        Method toThreads = StreamsPartitionAssignor.class.getDeclaredMethod(
            "assignTasksToThreads", Collection.class, boolean.class, SortedSet.class, ClientState.class, Map.class);
        toThreads.setAccessible(true);
        Map<String, Integer> load = new HashMap<>();
        var active = (Map<String, List<TaskId>>) toThreads.invoke(null, client.statefulActiveTasks(), true, ids, client, load);
        var standby = (Map<String, List<TaskId>>) toThreads.invoke(null, client.standbyTasks(), true, ids, client, load);
        var stateless = (Map<String, List<TaskId>>) toThreads.invoke(null, client.statelessActiveTasks(), false, ids, client, load);
        for (String id : ids) {
            active.get(id).addAll(stateless.get(id));
            threads.put(id, Map.of("active", names(active.get(id)), "standby", names(standby.get(id))));
            List<String> waiting = names(revoked(client, id, active.get(id)));
            if (!waiting.isEmpty()) {
                withheld.put(id, waiting);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private Set<TaskId> revoked(ClientState client, String id, List<TaskId> active) throws Exception {
        var leader = new StreamsPartitionAssignor();
        Field log = StreamsPartitionAssignor.class.getDeclaredField("log");
        log.setAccessible(true);
        log.set(leader, LoggerFactory.getLogger(Streams.class));
        Method populate = StreamsPartitionAssignor.class.getDeclaredMethod("populateActiveTaskAndPartitionsLists",
            List.class, List.class, String.class, ClientState.class, List.class, Map.class, Set.class);
        populate.setAccessible(true);
        return (Set<TaskId>) populate.invoke(leader, new ArrayList<>(), new ArrayList<>(), id, client, active, partitions, owned);
    }

    private static List<String> names(Collection<TaskId> tasks) {
        return new TreeSet<>(tasks).stream().map(TaskId::toString).collect(Collectors.toList());
    }
}
