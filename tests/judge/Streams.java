import static org.apache.kafka.streams.processor.internals.assignment.SubscriptionInfo.UNKNOWN_OFFSET_SUM;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskInfo;
import org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor;
import org.apache.kafka.streams.processor.internals.InternalTopicManager;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor.ClientMetadata;
import org.apache.kafka.streams.processor.internals.TopologyMetadata.Subtopology;
import org.apache.kafka.streams.processor.internals.assignment.ClientState;
import org.apache.kafka.streams.processor.internals.assignment.DefaultApplicationState;
import org.apache.kafka.streams.processor.internals.assignment.DefaultTaskInfo;
import org.apache.kafka.streams.processor.internals.assignment.DefaultTaskTopicPartition;
import org.apache.kafka.streams.processor.internals.assignment.FallbackPriorTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.LegacyTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.RackAwareTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.RackUtils;
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
    private final Map<TaskId, Set<TopicPartition>> changelogs = new HashMap<>();
    private final Map<Subtopology, Set<TaskId>> groups = new HashMap<>();
    private final Map<TopicPartition, PartitionInfo> described = new HashMap<>();
    private final Map<ProcessId, Map<String, Optional<String>>> racks = new HashMap<>();
    private final Map<TopicPartition, TaskId> taskOf = new HashMap<>();
    private final Map<TaskId, Long> endOffsetSums = new HashMap<>();
    private final Set<TaskId> stateful = new HashSet<>();
    private final Map<ProcessId, ClientState> met = new HashMap<>();
    private final Map<ProcessId, Optional<String>> rackOf = new HashMap<>();
    private final Map<ProcessId, Map<String, String>> tagsOf = new HashMap<>();
    private final Map<ProcessId, ClientState> clients = new HashMap<>();
    private final Map<ProcessId, SortedSet<String>> consumers = new HashMap<>();
    private final Set<TopicPartition> owned = new HashSet<>();
    private boolean knowsEnds;
    private StreamsPartitionAssignor leader;

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
            tags,
            cost(settings.path("rack.aware.assignment.traffic_cost")),
            cost(settings.path("rack.aware.assignment.non_overlap_cost")),
            settings.path("rack.aware.assignment.strategy").asText("none"));
    }

    private static OptionalInt cost(JsonNode setting) {
        return setting.isInt() ? OptionalInt.of(setting.intValue()) : OptionalInt.empty();
    }

    /** Changelog topics are not in the leader's metadata: it describes them. */
    private final class Topics extends InternalTopicManager {
        Topics() {
            super(Time.SYSTEM, null, new StreamsConfig(Map.of("application.id", "judge", "bootstrap.servers", "broker:9092")));
        }

        @Override
        public Map<String, List<TopicPartitionInfo>> getTopicPartitionInfo(Set<String> topics) {
            Map<String, List<TopicPartitionInfo>> found = new HashMap<>();
            described.values().stream().filter(info -> topics.contains(info.topic())).forEach(info -> found
                .computeIfAbsent(info.topic(), topic -> new ArrayList<>())
                .add(new TopicPartitionInfo(info.partition(), info.leader(), List.of(info.replicas()), List.of(info.replicas()))));
            return found;
        }
    }

    /** Fills maps in the order in which the leader fills its own; StreamsLeader shows that it is the same. */
    private void readTasks() {
        Map<TaskId, JsonNode> sorted = new TreeMap<>();
        document.path("tasks").forEach(task -> sorted.put(TaskId.parse(task.get("task_id").asText()), task));
        Map<Subtopology, Map<TaskId, JsonNode>> built = new LinkedHashMap<>();
        sorted.forEach((id, task) -> built.computeIfAbsent(new Subtopology(id.subtopology(), null), each -> new LinkedHashMap<>()).put(id, task));
        Map<Subtopology, Map<TaskId, JsonNode>> copied = new HashMap<>();
        copied.putAll(built);
        Map<Subtopology, Map<TaskId, JsonNode>> read = new HashMap<>();
        copied.forEach(read::put);
        read.values().forEach(tasks -> tasks.forEach((id, task) -> {
            partitions.put(id, replicas("source-", id, task.path("source_racks")));
            partitions.get(id).forEach(partition -> taskOf.put(partition, id));
        }));
        partitions.keySet().forEach(id -> groups.computeIfAbsent(new Subtopology(id.subtopology(), null), each -> new HashSet<>()).add(id));
        copied.keySet().forEach(subtopology -> groups.get(subtopology).forEach(id -> {
            if (sorted.get(id).get("stateful").asBoolean()) {
                changelogs.put(id, replicas("changelog-", id, sorted.get(id).path("changelog_racks")));
            }
        }));
        stateful.addAll(changelogs.keySet());
        knowsEnds = stateful.isEmpty() || stateful.stream().anyMatch(id -> sorted.get(id).path("end_offset_sum").isNumber());
        stateful.forEach(id -> endOffsetSums.put(id, knowsEnds ? sorted.get(id).path("end_offset_sum").asLong(0) : UNKNOWN_OFFSET_SUM));
    }

    /** The partitions of one task, a topic for each, at least one; each replica of a rack is on a broker of its own. */
    private Set<TopicPartition> replicas(String prefix, TaskId id, JsonNode racks) {
        Set<TopicPartition> found = new HashSet<>();
        for (int number = 0; number < Math.max(racks.size(), 1); number++) {
            var partition = new TopicPartition(prefix + number + "-" + id.subtopology(), id.partition());
            List<Node> nodes = new ArrayList<>();
            for (JsonNode rack : racks.path(number)) {
                nodes.add(new Node(nodes.size(), "broker", 9092, rack.textValue()));
            }
            var brokers = nodes.isEmpty() ? new Node[] {new Node(0, "broker", 9092)} : nodes.toArray(Node[]::new);
            described.put(partition, new PartitionInfo(partition.topic(), partition.partition(), null, brokers, brokers));
            found.add(partition);
        }
        return found;
    }

    /** What consumers own of a task that may not exist. */
    private Set<TopicPartition> partitionsOf(TaskId id) {
        return partitions.getOrDefault(id, Set.of(new TopicPartition("source-0-" + id.subtopology(), id.partition())));
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
                tagsOf.put(processId, tags(process));
            }
            ClientState client = met.get(processId);
            client.incrementCapacity();
            consumers.computeIfAbsent(processId, each -> new TreeSet<>()).add(id);
            var rack = Optional.ofNullable(process.path("rack").textValue()).filter(name -> !name.isEmpty());
            racks.computeIfAbsent(processId, each -> new HashMap<>()).put(id, rack);
            rackOf.put(processId, rack);
            List<TopicPartition> claimed = new ArrayList<>();
            consumer.path("owned").forEach(task -> claimed.addAll(partitionsOf(TaskId.parse(task.asText()))));
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

    /** How long each of so many leaders that have just read the application took: the assignor, then threads and the revocation step. */
    static Judge.Measured measured(JsonNode request, int runs) throws Exception {
        var threads = ManagementFactory.getThreadMXBean();
        var measured = new Judge.Measured(new double[runs], new double[runs]);
        for (int times = 0; times < runs; times++) {
            Streams leader = new Streams(request.path("group"));
            Assigning assigning = leader.prepared(request.path("assignor").asText(), configs(request));
            long used = threads.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            assigning.isProbing();
            leader.shareOut((id, consumer) -> {});
            measured.milliseconds()[times] = (System.nanoTime() - start) / 1e6;
            measured.processor()[times] = (threads.getCurrentThreadCpuTime() - used) / 1e6;
        }
        return measured;
    }

    /** Gives clients their tasks; whether a probing rebalance follows. */
    private interface Assigning {
        boolean isProbing() throws Exception;
    }

    private Assigning prepared(String assignor, AssignmentConfigs configs) {
        var sources = described.values().stream().filter(info -> info.topic().startsWith("source-")).collect(Collectors.toSet());
        var cluster = new Cluster("judge", Set.of(), sources, Set.of(), Set.of());
        if (assignor.equals("streams-sticky")) {
            return () -> assignByPublicClass(configs, cluster);
        }
        boolean isAsked = !configs.rackAwareAssignmentStrategy().equals("none");
        var optimiser = new RackAwareTaskAssignor(
            cluster, partitions, changelogs, groups, racks, isAsked ? new Topics() : null, configs, Time.SYSTEM);
        boolean isLeftAlone = !knowsEnds && !clients.isEmpty() && assignor.equals("high-availability");
        return () -> ASSIGNORS.get(isLeftAlone ? "fallback-prior" : assignor).get().assign(clients, partitions.keySet(), stateful, optimiser, configs);
    }

    private TaskAnswer answer(String assignor, AssignmentConfigs configs) throws Exception {
        boolean probing = prepared(assignor, configs).isProbing();
        Map<String, Map<String, List<String>>> assignment = new LinkedHashMap<>();
        Map<String, Map<String, List<String>>> threads = new TreeMap<>();
        Map<String, List<String>> withheld = new TreeMap<>();
        for (JsonNode process : document.path("processes")) {
            ClientState client = clients.get(new ProcessId(UUID.fromString(process.get("process_id").asText())));
            var tasks = Map.of("active", names(client.activeTasks()), "standby", names(client.standbyTasks()));
            assignment.put(process.get("process_id").asText(), tasks);
        }
        shareOut((id, consumer) -> {
            threads.put(id, Map.of("active", names(consumer.active), "standby", names(consumer.standby)));
            if (!consumer.waiting.isEmpty()) {
                withheld.put(id, names(consumer.waiting));
            }
        });
        return new TaskAnswer(assignment, threads, withheld, probing, List.of(), null);
    }

    private record OfConsumer(List<TaskId> active, List<TaskId> standby, Set<TaskId> waiting) {}

    /** As the leader does with a class that `task.assignor.class` names, KIP-924. */
    private boolean assignByPublicClass(AssignmentConfigs configs, Cluster cluster) throws Exception {
        Map<ProcessId, ClientMetadata> metadata = new HashMap<>();
        for (var entry : met.entrySet()) {
            metadata.put(entry.getKey(), metadata(entry.getKey(), entry.getValue()));
        }
        Topics topics = configs.rackAwareAssignmentStrategy().equals("none") ? null : new Topics();
        Map<TaskId, TaskInfo> tasks = new HashMap<>();
        for (TaskId id : partitions.keySet()) {
            Set<DefaultTaskTopicPartition> all = new HashSet<>();
            Runnable reading = () -> RackUtils.annotateTopicPartitionsWithRackInfo(cluster, topics, all);
            partitions.get(id).forEach(each -> all.add(new DefaultTaskTopicPartition(each, true, false, reading)));
            changelogs.getOrDefault(id, Set.of()).forEach(each -> all.add(new DefaultTaskTopicPartition(each, false, true, reading)));
            tasks.put(id, new DefaultTaskInfo(id, stateful.contains(id), Set.of(), new HashSet<>(all)));
        }
        var given = new StickyTaskAssignor().assign(new DefaultApplicationState(configs, tasks, metadata));
        for (KafkaStreamsAssignment each : given.assignment()) {
            clients.get(each.processId()).setAssignedTasks(each);
        }
        return false;
    }

    private ClientMetadata metadata(ProcessId id, ClientState state) throws Exception {
        var made = ClientMetadata.class.getDeclaredConstructor(ProcessId.class, String.class, Map.class, Optional.class);
        made.setAccessible(true);
        ClientMetadata metadata = made.newInstance(id, null, tagsOf.get(id), rackOf.get(id));
        Field field = ClientMetadata.class.getDeclaredField("state");
        field.setAccessible(true);
        field.set(metadata, state);
        return metadata;
    }

    private void shareOut(BiConsumer<String, OfConsumer> told) throws Exception {
        for (var entry : clients.entrySet()) {
            shareOut(entry.getValue(), consumers.get(entry.getKey()), told);
        }
    }

    @SuppressWarnings("unchecked")
    private void shareOut(ClientState client, SortedSet<String> ids, BiConsumer<String, OfConsumer> told) throws Exception {
        Method toThreads = StreamsPartitionAssignor.class.getDeclaredMethod(
            "assignTasksToThreads", Collection.class, boolean.class, SortedSet.class, ClientState.class, Map.class);
        toThreads.setAccessible(true);
        Map<String, Integer> load = new HashMap<>();
        var active = (Map<String, List<TaskId>>) toThreads.invoke(null, client.statefulActiveTasks(), true, ids, client, load);
        var standby = (Map<String, List<TaskId>>) toThreads.invoke(null, client.standbyTasks(), true, ids, client, load);
        var stateless = (Map<String, List<TaskId>>) toThreads.invoke(null, client.statelessActiveTasks(), false, ids, client, load);
        for (String id : ids) {
            active.get(id).addAll(stateless.get(id));
            told.accept(id, new OfConsumer(active.get(id), standby.get(id), revoked(client, id, active.get(id))));
        }
    }

    @SuppressWarnings("unchecked")
    private Set<TaskId> revoked(ClientState client, String id, List<TaskId> active) throws Exception {
        if (leader == null) {
            leader = new StreamsPartitionAssignor();
            Field log = StreamsPartitionAssignor.class.getDeclaredField("log");
            log.setAccessible(true);
            log.set(leader, LoggerFactory.getLogger(Streams.class));
        }
        Method populate = StreamsPartitionAssignor.class.getDeclaredMethod("populateActiveTaskAndPartitionsLists",
            List.class, List.class, String.class, ClientState.class, List.class, Map.class, Set.class);
        populate.setAccessible(true);
        return (Set<TaskId>) populate.invoke(leader, new ArrayList<>(), new ArrayList<>(), id, client, active, partitions, owned);
    }

    private static List<String> names(Collection<TaskId> tasks) {
        return new TreeSet<>(tasks).stream().map(TaskId::toString).collect(Collectors.toList());
    }
}
