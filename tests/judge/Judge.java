import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import dev.evenkeel.WeightedUniformAssignor;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** The last question to each assignor, to be measured. */
    private static final Map<String, Repeat> LAST = new HashMap<>();

    private static WeightedUniformAssignor weighted(JsonNode request) {
        var made = new WeightedUniformAssignor();
        Map<String, String> settings = new HashMap<>();
        request.path("settings").fields().forEachRemaining(one -> settings.put("evenkeel.weights." + one.getKey(), one.getValue().asText()));
        made.configure(settings);
        return made;
    }

    static Object answer(JsonNode request) throws Exception {
        String assignor = request.path("assignor").asText();
        if (request.has("runs")) {
            return LAST.get(assignor).measured(request.get("runs").asInt());
        }
        if (request.has("user_data")) {
            JsonNode user = request.get("user_data");
            return user.has("process_id") ? StreamsBytes.subscription(user) : StreamsBytes.assignment(user);
        }
        if (request.path("whole").asBoolean()) {
            return StreamsLeader.answer(request);
        }
        JsonNode document = request.path("group");
        return switch (assignor) {
            case "uniform" -> answer(assignor, UniformAssignor::new, Broker.consumer(new Group(document)));
            case "broker-range" -> answer(assignor, RangeAssignor::new, Broker.consumer(new Group(document)));
            case "evenkeel-weighted" -> answer(assignor, () -> weighted(request), Broker.consumer(new Group(document)));
            case "simple" -> answer(assignor, SimpleAssignor::new, Broker.share(withMatches(document)));
            case "high-availability", "legacy-sticky", "fallback-prior", "streams-sticky" -> {
                LAST.put(assignor, runs -> Streams.measured(request, runs));
                yield Streams.answer(request);
            }
            case "streams-group-sticky" -> StreamsGroup.answer(request);
            case "lag" -> lag(withMatches(document));
            default -> classic(request, withMatches(document));
        };
    }

    /** What an assignor gives, and how it becomes an answer. */
    interface Question<A, G> {
        G asked(A assignor) throws Exception;

        Answer answer(G given) throws Exception;

        /** What has to be as it was before the assignor can be asked again. */
        default void again() {}

        /** What is measured: the assignor's own call, where `asked` does more. */
        default Object alone(A assignor) throws Exception {
            return asked(assignor);
        }
    }

    record Measured(double[] milliseconds, double[] processor) {}

    interface Repeat {
        Measured measured(int runs) throws Exception;
    }

    interface Maker<A> {
        A assignor() throws Exception;
    }

    private static <A, G> Answer answer(String name, Maker<A> maker, Question<A, G> question) throws Exception {
        LAST.put(name, runs -> measured(runs, maker, question));
        return question.answer(question.asked(maker.assignor()));
    }

    /** How long each of so many calls took, by the clock and of this thread's processor time, each with a fresh assignor. */
    private static <A, G> Measured measured(int runs, Maker<A> maker, Question<A, G> question) throws Exception {
        List<A> fresh = new ArrayList<>();
        for (int times = 0; times < runs; times++) {
            fresh.add(maker.assignor());
        }
        var threads = ManagementFactory.getThreadMXBean();
        var measured = new Measured(new double[runs], new double[runs]);
        for (int times = 0; times < runs; times++) {
            question.again();
            long used = threads.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            question.alone(fresh.get(times));
            measured.milliseconds[times] = (System.nanoTime() - start) / 1e6;
            measured.processor[times] = (threads.getCurrentThreadCpuTime() - used) / 1e6;
        }
        return measured;
    }

    private static Answer lag(Group group) throws Exception {
        return answer("lag", () -> new LagReading(group), new Question<LagReading, Map<String, List<TopicPartition>>>() {
            @Override
            public Map<String, List<TopicPartition>> asked(LagReading assignor) {
                return assignor.assigned();
            }

            @Override
            public Answer answer(Map<String, List<TopicPartition>> given) {
                return Answer.of(group, given, Map.of());
            }
        });
    }

    private static Answer classic(JsonNode request, Group group) throws Exception {
        String name = request.path("assignor").asText();
        int maxGeneration = request.path("settings").path("max_generation").asInt(-1);
        String className = CLASSES.getOrDefault(name, name);
        Host.Fresh fresh = () -> remembering(maxGeneration, OlderClients.RUN ? OlderClients.assignor(className)
            : ConsumerPartitionAssignor.getAssignorInstances(List.of(className), Map.of("group.id", group.id)).get(0));
        var cluster = group.cluster();
        var subscriptions = OlderClients.RUN ? OlderClients.subscriptions(group) : group.subscriptions(fresh);
        return answer(name, fresh::assignor, new Question<ConsumerPartitionAssignor, Map<String, List<TopicPartition>>>() {
            @Override
            public Map<String, List<TopicPartition>> asked(ConsumerPartitionAssignor assignor) {
                return Host.assigned(assignor, cluster, subscriptions);
            }

            @Override
            public void again() {
                // StickyAssignor reads the buffer to its end and takes a member with a read one for new.
                subscriptions.groupSubscription().values().stream().map(Subscription::userData).filter(Objects::nonNull).forEach(ByteBuffer::rewind);
            }

            @Override
            public Answer answer(Map<String, List<TopicPartition>> given) throws Exception {
                boolean cuts = name.equals("cooperative-sticky");
                return Answer.of(group, given, cuts ? removed(asked(remembering(maxGeneration, new FirstStep())), given) : Map.of());
            }
        });
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
