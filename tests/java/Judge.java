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

    static Object answer(JsonNode request) throws Exception {
        JsonNode document = request.path("group");
        int runs = request.path("runs").asInt(0);
        return switch (request.path("assignor").asText()) {
            case "uniform" -> measured(runs, times -> new UniformAssignor(), Broker.consumer(new Group(document)));
            case "broker-range" -> measured(runs, times -> new RangeAssignor(), Broker.consumer(new Group(document)));
            case "simple" -> measured(runs, times -> new SimpleAssignor(), Broker.share(new Group(document)));
            case "lag" -> lag(runs, withMatches(document));
            default -> classic(request, runs, withMatches(document));
        };
    }

    /** What an assignor gives, and how it becomes an answer. */
    interface Question<A, G> {
        G asked(A assignor) throws Exception;

        Answer answer(G given) throws Exception;

        /** What is measured: the assignor's own call, where `asked` does more. */
        default Object alone(A assignor) throws Exception {
            return asked(assignor);
        }
    }

    private record Measured(double[] milliseconds) {}

    interface Maker<A> {
        A assignor(int times) throws Exception;
    }

    /** Gives the answer, or where `runs` are asked for how long each of them took, each with a fresh assignor. */
    private static <A, G> Object measured(int runs, Maker<A> maker, Question<A, G> question) throws Exception {
        List<A> fresh = new ArrayList<>();
        for (int times = 0; times <= runs; times++) {
            fresh.add(maker.assignor(times));
        }
        double[] milliseconds = new double[runs];
        for (int times = 0; times < runs; times++) {
            long start = System.nanoTime();
            question.alone(fresh.get(times));
            milliseconds[times] = (System.nanoTime() - start) / 1e6;
        }
        Answer answer = question.answer(question.asked(fresh.get(runs)));
        return runs == 0 ? answer : new Measured(milliseconds);
    }

    private static Object lag(int runs, Group group) throws Exception {
        return measured(runs, times -> new LagReading(group), new Question<LagReading, Map<String, List<TopicPartition>>>() {
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

    private static Object classic(JsonNode request, int runs, Group group) throws Exception {
        String name = request.path("assignor").asText();
        int maxGeneration = request.path("settings").path("max_generation").asInt(-1);
        Host.Fresh fresh = () -> remembering(maxGeneration,
            ConsumerPartitionAssignor.getAssignorInstances(List.of(CLASSES.getOrDefault(name, name)), Map.of("group.id", group.id)).get(0));
        var cluster = group.cluster();
        var subscriptions = group.subscriptions(fresh);
        return measured(runs, times -> fresh.assignor(), new Question<ConsumerPartitionAssignor, Map<String, List<TopicPartition>>>() {
            @Override
            public Map<String, List<TopicPartition>> asked(ConsumerPartitionAssignor assignor) {
                return Host.assigned(assignor, cluster, subscriptions);
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
