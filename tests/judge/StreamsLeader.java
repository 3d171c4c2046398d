import static org.apache.kafka.streams.processor.internals.assignment.StreamsAssignmentProtocolVersions.LATEST_SUPPORTED_VERSION;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor;
import org.apache.kafka.streams.processor.internals.InternalTopologyBuilder;
import org.apache.kafka.streams.processor.internals.StreamsMetadataState;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor.ClientMetadata;
import org.apache.kafka.streams.processor.internals.TaskManager;
import org.apache.kafka.streams.processor.internals.TopologyMetadata;
import org.apache.kafka.streams.processor.internals.assignment.AssignmentInfo;
import org.apache.kafka.streams.processor.internals.assignment.ClientState;
import org.apache.kafka.streams.processor.internals.assignment.FallbackPriorTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.ReferenceContainer;
import org.apache.kafka.streams.processor.internals.assignment.SubscriptionInfo;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.slf4j.Logger;

/**
 * Answers for a streams document with the whole leader: `StreamsPartitionAssignor.assign` on encoded subscriptions, with a topology of the
 * document's subtopologies and an admin client that answers from the document.
 */
final class StreamsLeader {
    /** As in TaskAnswer; `sent`: what each consumer reads in its encoded assignment. */
    record LeaderAnswer(Map<String, Map<String, List<String>>> assignment, Map<String, Map<String, List<String>>> threads,
        Map<String, List<String>> withheld, boolean probing_rebalance, List<String> assumed, Failure error,
        Map<String, Map<String, List<String>>> sent) {}

    private static final Map<String, String> INTERNAL = Map.of(
        "high-availability", HighAvailabilityTaskAssignor.class.getName(),
        "legacy-sticky", LegacyStickyTaskAssignor.class.getName(),
        "fallback-prior", FallbackPriorTaskAssignor.class.getName());
    private static final String ID = "judge";

    private final JsonNode document;
    private final Map<String, List<PartitionInfo>> sources = new TreeMap<>();
    private final Map<String, List<PartitionInfo>> changelogs = new TreeMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<Integer, Integer> stores = new TreeMap<>();
    private boolean knowsEnds;
    private Map<ProcessId, ClientMetadata> clients;
    private final Map<ProcessId, Map<String, List<String>>> assigned = new HashMap<>();

    private StreamsLeader(JsonNode document) {
        this.document = document;
        Map<TaskId, JsonNode> sorted = new TreeMap<>();
        document.path("tasks").forEach(task -> sorted.put(TaskId.parse(task.get("task_id").asText()), task));
        sorted.forEach(this::read);
    }

    static LeaderAnswer answer(JsonNode request) throws Exception {
        return new StreamsLeader(request.path("group")).answer(request.path("assignor").asText(), request.path("settings"));
    }

    private void read(TaskId id, JsonNode task) {
        boolean isStateful = task.get("stateful").asBoolean();
        add(sources, number -> "source-" + number + "-" + id.subtopology(), id, task.path("source_racks"));
        stores.putIfAbsent(id.subtopology(), 0);
        if (isStateful) {
            int count = add(changelogs, number -> changelog(number, id.subtopology()), id, task.path("changelog_racks"));
            stores.put(id.subtopology(), count);
            knowsEnds |= task.path("end_offset_sum").isNumber();
            for (int number = 0; number < count; number++) {
                long end = number == 0 ? task.path("end_offset_sum").asLong(0) : 0;
                ends.put(new TopicPartition(changelog(number, id.subtopology()), id.partition()), end);
            }
        }
    }

    private static String store(int number, int subtopology) {
        return "store-" + number + "-" + subtopology;
    }

    private static String changelog(int number, int subtopology) {
        return ID + "-" + store(number, subtopology) + "-changelog";
    }

    private interface Name {
        String of(int number);
    }

    /** Adds one partition a topic, at least one; each replica of a rack is on a broker of its own. */
    private static int add(Map<String, List<PartitionInfo>> topics, Name name, TaskId id, JsonNode racks) {
        int count = Math.max(racks.size(), 1);
        for (int number = 0; number < count; number++) {
            List<Node> nodes = new ArrayList<>();
            for (JsonNode rack : racks.path(number)) {
                nodes.add(new Node(nodes.size(), "broker", 9092, rack.textValue()));
            }
            var brokers = nodes.isEmpty() ? new Node[] {new Node(0, "broker", 9092)} : nodes.toArray(Node[]::new);
            List<PartitionInfo> found = topics.computeIfAbsent(name.of(number), each -> new ArrayList<>());
            if (found.size() != id.partition()) {
                throw new IllegalArgumentException("partitions of " + name.of(number) + " have a gap before " + id);
            }
            found.add(new PartitionInfo(name.of(number), id.partition(), null, brokers, brokers));
        }
        return count;
    }

    private LeaderAnswer answer(String assignor, JsonNode settings) throws Exception {
        var subscriptions = new GroupSubscription(subscriptions());
        StreamsPartitionAssignor leader = configured(configs(assignor, settings));
        Set<PartitionInfo> partitions = sources.values().stream().flatMap(Collection::stream).collect(Collectors.toSet());
        var given = leader.assign(new Cluster("judge", Set.of(), partitions, Set.of(), Set.of()), subscriptions);
        return told(given.groupAssignment());
    }

    /** Filled in the order of the coordinator's list: `order` of each consumer, else as the document lists them. */
    private Map<String, Subscription> subscriptions() {
        List<Map.Entry<JsonNode, JsonNode>> listed = new ArrayList<>();
        document.path("processes").forEach(process -> process.path("consumers").forEach(consumer -> listed.add(Map.entry(process, consumer))));
        listed.sort((one, other) -> Long.compare(place(one.getValue()), place(other.getValue())));
        Map<String, Subscription> found = new HashMap<>();
        listed.forEach(entry -> found.put(entry.getValue().get("member_id").asText(), subscription(entry.getKey(), entry.getValue())));
        return found;
    }

    private static long place(JsonNode consumer) {
        return consumer.path("order").asLong(Long.MAX_VALUE);
    }

    private Subscription subscription(JsonNode process, JsonNode consumer) {
        Map<TaskId, Long> sums = new HashMap<>();
        consumer.path("task_offset_sums").fields().forEachRemaining(sum -> sums.put(TaskId.parse(sum.getKey()), sum.getValue().asLong()));
        Map<String, String> tags = new HashMap<>();
        process.path("client_tags").fields().forEachRemaining(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        var info = new SubscriptionInfo(LATEST_SUPPORTED_VERSION, LATEST_SUPPORTED_VERSION, id(process), null, sums, (byte) 0, 0, tags);
        List<TopicPartition> owned = new ArrayList<>();
        consumer.path("owned").forEach(task -> owned.addAll(partitionsOf(TaskId.parse(task.asText()))));
        var rack = Optional.ofNullable(process.path("rack").textValue()).filter(name -> !name.isEmpty());
        return new Subscription(new ArrayList<>(sources.keySet()), info.encode(), owned, 1, rack);
    }

    private static ProcessId id(JsonNode process) {
        return new ProcessId(UUID.fromString(process.get("process_id").asText()));
    }

    /** The partitions of a task; one that does not exist reads a topic of its own. */
    private List<TopicPartition> partitionsOf(TaskId id) {
        List<TopicPartition> found = sources.entrySet().stream()
            .filter(topic -> topic.getKey().endsWith("-" + id.subtopology()) && topic.getValue().size() > id.partition())
            .map(topic -> new TopicPartition(topic.getKey(), id.partition())).collect(Collectors.toList());
        return found.isEmpty() ? List.of(new TopicPartition("source-0-" + id.subtopology(), id.partition())) : found;
    }

    private Map<String, Object> configs(String assignor, JsonNode settings) {
        Map<String, Object> configs = new HashMap<>(Map.of("application.id", ID, "bootstrap.servers", "broker:9092"));
        settings.fields().forEachRemaining(setting -> {
            JsonNode value = setting.getValue();
            if (value.isArray()) {
                // A leader configures only tags that it has itself.
                value.forEach(tag -> configs.put("client.tag." + tag.asText(), "a"));
                configs.put(setting.getKey(), String.join(",", tags(value)));
            } else if (!setting.getKey().equals("jdk") && !value.isNull()) {
                configs.put(setting.getKey(), value.asText());
            }
        });
        if (assignor.equals("streams-sticky")) {
            configs.put("task.assignor.class", StickyTaskAssignor.class.getName());
        } else {
            configs.put("internal.task.assignor.class", INTERNAL.get(assignor));
        }
        return configs;
    }

    private static List<String> tags(JsonNode listed) {
        List<String> found = new ArrayList<>();
        listed.forEach(tag -> found.add(tag.asText()));
        return found;
    }

    private StreamsPartitionAssignor configured(Map<String, Object> configs) throws Exception {
        var topology = new TopologyMetadata(builder(), new StreamsConfig(configs));
        topology.buildAndRewriteTopology();
        var first = document.path("processes").path(0);
        var container = new ReferenceContainer();
        container.mainConsumer = (Consumer<byte[], byte[]>) proxy(Consumer.class, (name, arguments) -> null);
        container.adminClient = (Admin) proxy(Admin.class, this::administered);
        container.taskManager = taskManager(first.isMissingNode() ? ProcessId.randomProcessId() : id(first), topology);
        container.streamsMetadataState = new StreamsMetadataState(topology, StreamsMetadataState.UNKNOWN_HOST, new LogContext());
        container.time = Time.SYSTEM;
        container.clientTags = Map.of();
        configs.put(StreamsConfig.InternalConfig.REFERENCE_CONTAINER_PARTITION_ASSIGNOR, container);
        configs.put("client.id", "judge");
        var leader = new StreamsPartitionAssignor();
        leader.configure(configs);
        Field log = StreamsPartitionAssignor.class.getDeclaredField("log");
        log.setAccessible(true);
        log.set(leader, proxy(Logger.class, this::logged));
        return leader;
    }

    /** One source for each subtopology, with a processor for its stores; a number that no task has is that of a global store. */
    private InternalTopologyBuilder builder() {
        var builder = new InternalTopologyBuilder();
        int count = stores.keySet().stream().max(Integer::compare).map(last -> last + 1).orElse(0);
        for (int subtopology = 0; subtopology < count; subtopology++) {
            if (stores.containsKey(subtopology)) {
                add(builder, subtopology);
            } else {
                builder.addGlobalStore("global-" + subtopology, null, null, null, "table-" + subtopology, "updates-" + subtopology,
                    new Idle(Set.of(store(Stores.inMemoryKeyValueStore("table-" + subtopology)).withLoggingDisabled())), false);
            }
        }
        return builder;
    }

    private void add(InternalTopologyBuilder builder, int subtopology) {
        String[] topics = sources.keySet().stream().filter(topic -> topic.endsWith("-" + subtopology)).toArray(String[]::new);
        builder.addSource(null, "reads-" + subtopology, null, null, null, topics);
        builder.addProcessor("works-" + subtopology, new Idle(Set.of()), "reads-" + subtopology);
        for (int number = 0; number < stores.get(subtopology); number++) {
            builder.addStateStore(store(Stores.inMemoryKeyValueStore(store(number, subtopology))), "works-" + subtopology);
        }
    }

    private static StoreBuilder<?> store(org.apache.kafka.streams.state.KeyValueBytesStoreSupplier supplier) {
        return Stores.keyValueStoreBuilder(supplier, Serdes.ByteArray(), Serdes.ByteArray());
    }

    private record Idle(Set<StoreBuilder<?>> own) implements ProcessorSupplier<Object, Object, Void, Void> {
        @Override
        public Processor<Object, Object, Void, Void> get() {
            return new Processor<>() {
                @Override
                public void process(Record<Object, Object> record) {}
            };
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return own.isEmpty() ? null : own;
        }
    }

    private static TaskManager taskManager(ProcessId id, TopologyMetadata topology) throws Exception {
        Constructor<?> made = TaskManager.class.getDeclaredConstructors()[0];
        made.setAccessible(true);
        Object[] arguments = new Object[made.getParameterCount()];
        for (int place = 0; place < arguments.length; place++) {
            Class<?> type = made.getParameterTypes()[place];
            arguments[place] = type == ProcessId.class ? id : type == TopologyMetadata.class ? topology : type == String.class ? "" : null;
        }
        return (TaskManager) made.newInstance(arguments);
    }

    private interface Called {
        Object with(String method, Object[] arguments) throws Exception;
    }

    private static Object proxy(Class<?> type, Called called) {
        return Proxy.newProxyInstance(StreamsLeader.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            Object found = called.with(method.getName(), arguments == null ? new Object[0] : arguments);
            return found == null && method.getReturnType() == boolean.class ? (Object) false : found;
        });
    }

    @SuppressWarnings("unchecked")
    private Object administered(String method, Object[] arguments) throws Exception {
        return switch (method) {
            case "listOffsets" -> new ListOffsetsResult(((Map<TopicPartition, ?>) arguments[0]).keySet().stream()
                .collect(Collectors.toMap(each -> each, this::end)));
            case "describeTopics" -> described((Collection<String>) arguments[0]);
            default -> throw new UnsupportedOperationException(method);
        };
    }

    /** Where no task says where its changelogs end, a leader could not read it. */
    private KafkaFuture<ListOffsetsResultInfo> end(TopicPartition partition) {
        var found = new KafkaFutureImpl<ListOffsetsResultInfo>();
        if (knowsEnds) {
            found.complete(new ListOffsetsResultInfo(ends.get(partition), 0, Optional.empty()));
        } else {
            found.completeExceptionally(new TimeoutException("no end offsets"));
        }
        return found;
    }

    private DescribeTopicsResult described(Collection<String> topics) throws Exception {
        Map<String, KafkaFuture<TopicDescription>> found = new HashMap<>();
        for (String topic : topics) {
            List<TopicPartitionInfo> partitions = changelogs.getOrDefault(topic, sources.get(topic)).stream()
                .map(info -> new TopicPartitionInfo(info.partition(), info.leader(), List.of(info.replicas()), List.of(info.replicas())))
                .collect(Collectors.toList());
            found.put(topic, KafkaFuture.completedFuture(new TopicDescription(topic, false, partitions)));
        }
        Constructor<?> made = DescribeTopicsResult.class.getDeclaredConstructor(Map.class, Map.class);
        made.setAccessible(true);
        return (DescribeTopicsResult) made.newInstance(null, found);
    }

    /** The leader tells what it has made of the subscriptions, and when it has assigned tasks to clients. */
    @SuppressWarnings("unchecked")
    private Object logged(String method, Object[] arguments) {
        String message = arguments.length > 0 ? String.valueOf(arguments[0]) : "";
        if (message.startsWith("Constructed client metadata")) {
            clients = (Map<ProcessId, ClientMetadata>) arguments[1];
        } else if (message.startsWith("Assigned {} total tasks")) {
            clients.forEach((id, client) -> assigned.put(id, roles(client.state().activeTasks(), client.state().standbyTasks())));
        }
        return null;
    }

    private LeaderAnswer told(Map<String, org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment> given) {
        Map<String, Map<String, List<String>>> assignment = new LinkedHashMap<>();
        Map<String, Map<String, List<String>>> threads = new TreeMap<>();
        Map<String, Map<String, List<String>>> sent = new TreeMap<>();
        Map<String, List<String>> withheld = new TreeMap<>();
        boolean isProbing = false;
        for (JsonNode process : document.path("processes")) {
            ClientState state = clients.get(id(process)).state();
            isProbing |= state.followupRebalanceDeadline().isPresent();
            Map<String, List<String>> both = assigned.get(id(process));
            assignment.put(process.get("process_id").asText(), both);
            for (JsonNode consumer : process.path("consumers")) {
                String member = consumer.get("member_id").asText();
                Collection<TaskId> waits = state.revokingActiveTasksByConsumer().getOrDefault(member, Set.of());
                // A task that has to wait may be kept as a standby until then.
                Set<TaskId> keeps = new TreeSet<>(state.assignedStandbyTasksByConsumer().getOrDefault(member, Set.of()));
                keeps.removeIf(task -> !both.get("standby").contains(task.toString()));
                threads.put(member, roles(state.assignedActiveTasksByConsumer().getOrDefault(member, Set.of()), keeps));
                if (!waits.isEmpty()) {
                    withheld.put(member, names(waits));
                }
                var info = AssignmentInfo.decode(given.get(member).userData());
                sent.put(member, roles(info.activeTasks(), info.standbyTasks().keySet()));
            }
        }
        return new LeaderAnswer(assignment, threads, withheld, isProbing, List.of(), null, sent);
    }

    private static Map<String, List<String>> roles(Collection<TaskId> active, Collection<TaskId> standby) {
        return Map.of("active", names(active), "standby", names(standby));
    }

    private static List<String> names(Collection<TaskId> tasks) {
        return new TreeSet<>(tasks).stream().map(TaskId::toString).collect(Collectors.toList());
    }
}
