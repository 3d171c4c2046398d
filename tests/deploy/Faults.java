package dev.evenkeel;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;

/** Has the jar meet faults of its own code, of what a broker hands it, and of its file; prints a line of each: its name, a tab, what came of it. */
public final class Faults {
    private static final Uuid ORDERS = new Uuid(3, 1);
    private static final Uuid CLICKS = new Uuid(3, 2);
    private static final Map<Uuid, Integer> SIZES = Map.of(ORDERS, 4, CLICKS, 3);
    private static final Map<String, Map<Uuid, Set<Integer>>> TARGETS = Map.of("a", Map.of(ORDERS, Set.of(0, 1)), "b", Map.of(ORDERS, Set.of(2)), "c", Map.of());
    private static final Map<String, Set<Uuid>> READS = Map.of("a", Set.of(ORDERS, CLICKS), "b", Set.of(ORDERS, CLICKS), "c", Set.of(ORDERS));
    private static final int WRITES = 400;

    private final Path folder;
    private final WeightedUniformAssignor assignor = new WeightedUniformAssignor();
    private final AtomicInteger calls = new AtomicInteger();

    private Faults(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] words) throws Exception {
        Faults faults = new Faults(Path.of(words[0]));
        Path file = Files.writeString(faults.folder.resolve("good.json"), text("[300, 10, 10, 10]", ""));
        faults.assignor.configure(Map.of("evenkeel.weights.file", file.toString()));
        faults.exceptions();
        faults.wrongAnswers();
        faults.files();
        faults.replaced();
    }

    /** Whatever a call of the broker's objects throws, once or from then on. */
    private void exceptions() {
        calls.set(0);
        assigned(number -> false, null);
        int all = calls.get();
        for (Throwable thrown : new Throwable[] {new IllegalStateException("broken"), new StackOverflowError()}) {
            int whole = 0;
            int everyMember = 0;
            for (int from = 1; from <= all; from++) {
                int first = from;
                whole += fault(assigned(number -> number == first, thrown)) == null ? 1 : 0;
                everyMember += assigned(number -> number >= first, thrown) != null ? 1 : 0;
            }
            String name = thrown.getClass().getSimpleName();
            say(name + " once", whole == all ? "whole" : whole + " of " + all + " are whole");
            say(name + " from then on", everyMember == all ? "returned" : everyMember + " of " + all);
        }
        GroupSpec silent = proxy(GroupSpec.class, group(), number -> true, new IllegalStateException("broken"), "memberAssignment");
        say("targets unknown", spelled(WeightedUniformAssignor.first(Map.of(), silent, described())));
    }

    /** Answers of the jar's own that are not whole: the next way answers. */
    private void wrongAnswers() {
        Map<String, Map<String, Map<Uuid, Set<Integer>>>> wrong = new LinkedHashMap<>();
        wrong.put("a member is missing", Map.of("a", Map.of(ORDERS, Set.of(0, 1, 2, 3), CLICKS, Set.of(0, 1, 2)), "b", Map.of()));
        wrong.put("an unknown member", with("d", Map.of()));
        wrong.put("a partition beyond", with("c", Map.of(ORDERS, Set.of(3, 4))));
        wrong.put("a partition below 0", with("c", Map.of(ORDERS, Set.of(3, -1))));
        wrong.put("a partition twice", with("c", Map.of(ORDERS, Set.of(0, 3))));
        wrong.put("a topic that it does not read", with("c", Map.of(ORDERS, Set.of(3), CLICKS, Set.of(2))));
        wrong.put("a topic that is not there", with("c", Map.of(ORDERS, Set.of(3), new Uuid(9, 9), Set.of(0))));
        wrong.put("a partition without owner", with("c", Map.of()));
        wrong.put("partitions are null", with("c", null));
        say("a whole answer", String.valueOf(fault(answer(with("c", Map.of(ORDERS, Set.of(3)))))));
        String uniform = spelled(new UniformAssignor().assign(group(), described()));
        wrong.forEach((name, given) -> say(name, next(answer(given)).equals(uniform) ? "uniform" : next(answer(given))));
        say("no answer", next(null).equals(uniform) ? "uniform" : next(null));
        Map<String, WeightedUniformAssignor.Way> none = Map.of("wrong", (group, topics) -> answer(Map.of()));
        say("no way is whole", spelled(WeightedUniformAssignor.first(none, group(), described())));
    }

    private String next(GroupAssignment given) {
        Map<String, WeightedUniformAssignor.Way> ways = new LinkedHashMap<>();
        ways.put("wrong", (group, topics) -> given);
        ways.put("right", (group, topics) -> new UniformAssignor().assign(group, topics));
        return spelled(WeightedUniformAssignor.first(ways, group(), described()));
    }

    /** Files with numbers at the edge: what is used of them, and that the answer is whole. */
    private void files() throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("the largest numbers", text("[1.7e308, 1.7e308, 1.7e308, 1.7e308]", ""));
        texts.put("the largest beside the smallest", text("[1.7e308, 4.9e-324, 0, null]", ""));
        texts.put("only the smallest", text("[4.9e-324, 4.9e-324, 4.9e-324, 4.9e-324]", ""));
        texts.put("more weights than partitions", text(Arrays.toString(new int[100_000]).replace("0", "7"), ""));
        texts.put("beyond the largest number", text("[1e309]", ""));
        texts.put("a hundred thousand digits", text("[" + "1".repeat(100_000) + "]", ""));
        texts.put("a time beyond all", text("[300]", "").replaceFirst("\"as_of_ms\":[0-9]+", "\"as_of_ms\":1e300"));
        texts.put("a partition beyond int in a plan", text("[300]", planned("[4294967296]")));
        texts.put("a fraction in a plan", text("[300]", planned("[0.5]")));
        texts.put("a hundred thousand levels", "[".repeat(100_000));
        texts.put("larger than 64 MB", " ".repeat((64 << 20) + 1));
        int number = 0;
        for (Map.Entry<String, String> one : texts.entrySet()) {
            Path file = Files.writeString(folder.resolve("odd-" + number++ + ".json"), one.getValue());
            WeightedUniformAssignor odd = new WeightedUniformAssignor();
            odd.configure(Map.of("evenkeel.weights.file", file.toString()));
            boolean isUsed = !WeightsFile.of(file).latest(600_000).byTopic().isEmpty();
            String fault = fault(odd.assign(group(), described()));
            say(one.getKey(), (isUsed ? "used" : "refused") + (fault == null ? ", whole" : ", " + fault));
            Files.delete(file);
        }
    }

    private static String planned(String numbers) {
        return "{\"members\":{\"a\":{\"" + ORDERS + "\":" + numbers + "}}}";
    }

    /** A file that is written anew while it is read, whole or in place: weights are always those of one version, and in the end the last. */
    private void replaced() throws Exception {
        Path file = Files.writeString(folder.resolve("replaced.json"), version(0));
        WeightsFile read = WeightsFile.of(file);
        Thread writer = new Thread(() -> {
            for (int number = 1; number <= WRITES; number++) {
                write(file, number);
            }
        });
        writer.start();
        int last = 0;
        String wrong = null;
        while (writer.isAlive() || last < WRITES && wrong == null) {
            boolean isOver = !writer.isAlive();
            read.look();
            double[] found = read.latest(600_000).byTopic().get(ORDERS);
            boolean isMixed = Arrays.stream(found).distinct().count() != 1 || found.length != 1000;
            wrong = isMixed || found[0] < last ? "weights " + found[0] + " to " + found[999] + " after " + last : wrong;
            last = (int) found[0];
            wrong = isOver && last < WRITES ? "the last is " + last : wrong;
        }
        say("replaced while it is read", wrong == null ? "one version" : wrong);
    }

    private void write(Path file, int number) {
        try {
            if (number % 2 == 0) {
                Path beside = Files.writeString(folder.resolve("beside"), version(number));
                Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.writeString(file, version(number));
            }
            Thread.sleep(2);
        } catch (IOException | InterruptedException wrong) {
            say("replaced while it is read", wrong.toString());
        }
    }

    private static String version(int number) {
        int[] weights = new int[1000];
        Arrays.fill(weights, number);
        return text(Arrays.toString(weights), "");
    }

    private static String text(String weights, String plans) {
        String topic = "{\"topic_id\":\"" + ORDERS + "\",\"weights\":" + weights + "}";
        return "{\"format\":\"evenkeel.weights/1\",\"as_of_ms\":" + System.currentTimeMillis() + ",\"topics\":[" + topic + "],\"plans\":[" + plans + "]}";
    }

    /** The answer where calls of such numbers throw. */
    private GroupAssignment assigned(IntPredicate throwing, Throwable thrown) {
        calls.set(0);
        try {
            return assignor.assign(
                proxy(GroupSpec.class, group(), throwing, thrown, ""), proxy(SubscribedTopicDescriber.class, described(), throwing, thrown, ""));
        } catch (Throwable escaped) {
            return null;
        }
    }

    private <T> T proxy(Class<T> type, T inner, IntPredicate throwing, Throwable thrown, String only) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
            if (method.getName().startsWith(only) && throwing.test(calls.incrementAndGet())) {
                throw thrown;
            }
            try {
                return method.invoke(inner, given);
            } catch (InvocationTargetException raised) {
                throw raised.getCause();
            }
        }));
    }

    private static GroupSpec group() {
        Map<String, MemberSubscriptionAndAssignmentImpl> members = new HashMap<>();
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        TARGETS.forEach((member, owned) -> {
            members.put(member, new MemberSubscriptionAndAssignmentImpl(Optional.empty(), Optional.empty(), READS.get(member), new Assignment(owned)));
            owned.forEach((topic, numbers) -> numbers.forEach(one -> owners.computeIfAbsent(topic, any -> new HashMap<>()).put(one, member)));
        });
        return new GroupSpecImpl(members, SubscriptionType.HETEROGENEOUS, owners);
    }

    private static SubscribedTopicDescriber described() {
        return new SubscribedTopicDescriber() {
            @Override
            public int numPartitions(Uuid topic) {
                return SIZES.getOrDefault(topic, -1);
            }

            @Override
            public Set<String> racksForPartition(Uuid topic, int partition) {
                return Set.of();
            }
        };
    }

    private static Map<String, Map<Uuid, Set<Integer>>> with(String member, Map<Uuid, Set<Integer>> owned) {
        Map<String, Map<Uuid, Set<Integer>>> given = new HashMap<>();
        given.put("a", Map.of(ORDERS, Set.of(0, 1), CLICKS, Set.of(0)));
        given.put("b", Map.of(ORDERS, Set.of(2), CLICKS, Set.of(1, 2)));
        given.put("c", Map.of(ORDERS, Set.of(3)));
        if (owned != null && owned.containsKey(CLICKS)) {
            given.put("b", Map.of(ORDERS, Set.of(2), CLICKS, Set.of(1)));
        }
        given.put(member, owned);
        return given;
    }

    private static GroupAssignment answer(Map<String, Map<Uuid, Set<Integer>>> given) {
        Map<String, MemberAssignment> members = new HashMap<>();
        given.forEach((member, owned) -> members.put(member, new WeightedUniformAssignor.Owned(owned)));
        return new GroupAssignment(members);
    }

    private static String fault(GroupAssignment answer) {
        return answer == null ? "an exception came out" : Whole.fault(answer, group(), described());
    }

    private static String spelled(GroupAssignment answer) {
        Map<String, String> spelled = new TreeMap<>();
        answer.members().forEach((member, owned) -> {
            TreeSet<String> partitions = new TreeSet<>();
            owned.partitions().forEach((topic, numbers) -> numbers.forEach(one -> partitions.add((topic.equals(ORDERS) ? "orders-" : "clicks-") + one)));
            spelled.put(member, String.join(" ", partitions));
        });
        return spelled.toString();
    }

    private static void say(String name, String found) {
        System.out.println(name + "\t" + found);
    }
}
