package dev.evenkeel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;

/** What a file says: the weight of each partition by topic id, NaN where it is unknown, and plans that hold for exactly one set of members. */
record Weights(long asOfMs, Map<Uuid, double[]> byTopic, List<Map<String, Map<Uuid, Set<Integer>>>> plans) {
    static final Weights NONE = new Weights(0, Map.of(), List.of());
    private static final double SMALLER = 0x1p-64;
    static final String FORMAT = "evenkeel.weights/1";

    /**
     * Reads a file's text.
     *
     * @throws IllegalArgumentException in one line, for anything that is not exactly a file of this format: nothing of it is used.
     */
    static Weights read(String text) {
        Map<?, ?> file = object(Json.read(text), "the file");
        if (!FORMAT.equals(file.get("format"))) {
            throw new IllegalArgumentException("format is " + file.get("format") + ", expected " + FORMAT);
        }
        Map<Uuid, double[]> weights = new HashMap<>();
        for (Object given : list(file.get("topics"), "topics")) {
            Map<?, ?> topic = object(given, "a topic");
            if (weights.put(topicId(topic.get("topic_id")), numbers(list(topic.get("weights"), "weights"))) != null) {
                throw new IllegalArgumentException("topic_id " + topic.get("topic_id") + " occurs twice");
            }
        }
        List<Map<String, Map<Uuid, Set<Integer>>>> plans = new ArrayList<>();
        for (Object given : file.containsKey("plans") ? list(file.get("plans"), "plans") : List.of()) {
            plans.add(plan(object(object(given, "a plan").get("members"), "members of a plan")));
        }
        if (!(file.get("as_of_ms") instanceof Double asOf)) {
            throw new IllegalArgumentException("as_of_ms is " + file.get("as_of_ms") + ", expected milliseconds since 1970");
        }
        return new Weights(asOf.longValue(), weights, plans);
    }

    /** Returns the weight of each partition; unknown ones weigh the mean of their topic, else of the group. Null where none is known. */
    double[] of(Uuid[] topicIds, int[] firstOf) {
        double[] found = new double[firstOf[topicIds.length]];
        Arrays.fill(found, Double.NaN);
        for (int topic = 0; topic < topicIds.length; topic++) {
            double[] given = byTopic.getOrDefault(topicIds[topic], new double[0]);
            System.arraycopy(given, 0, found, firstOf[topic], Math.min(given.length, firstOf[topic + 1] - firstOf[topic]));
        }
        // Halved so often, even a million of the largest numbers have a sum.
        boolean isHuge = Double.isInfinite(Arrays.stream(found).filter(one -> !Double.isNaN(one)).reduce(0, Double::sum));
        for (int partition = 0; partition < found.length && isHuge; partition++) {
            found[partition] *= SMALLER;
        }
        double everywhere = mean(found, 0, found.length);
        if (!(everywhere > 0)) {
            return null;
        }
        for (int topic = 0; topic < topicIds.length; topic++) {
            double here = mean(found, firstOf[topic], firstOf[topic + 1]);
            for (int partition = firstOf[topic]; partition < firstOf[topic + 1]; partition++) {
                if (Double.isNaN(found[partition])) {
                    found[partition] = Double.isNaN(here) ? everywhere : here;
                }
            }
        }
        return found;
    }

    /** Returns the owners of the first plan that names exactly these members and each partition once; null where there is none. */
    int[] planned(List<String> members, List<String> instances, Uuid[] topicIds, int[] firstOf, int[][] subscribers) {
        for (Map<String, Map<Uuid, Set<Integer>>> plan : plans) {
            for (List<String> names : Arrays.asList(members, instances)) {
                if (names != null && names.size() == plan.size() && plan.keySet().equals(new HashSet<>(names))) {
                    int[] owner = owners(plan, names, topicIds, firstOf, subscribers);
                    if (owner != null) {
                        return owner;
                    }
                }
            }
        }
        return null;
    }

    private static int[] owners(
        Map<String, Map<Uuid, Set<Integer>>> plan, List<String> names, Uuid[] topicIds, int[] firstOf, int[][] subscribers) {
        int[] owner = new int[firstOf[topicIds.length]];
        Arrays.fill(owner, Spread.NOBODY);
        for (int member = 0; member < names.size(); member++) {
            for (Map.Entry<Uuid, Set<Integer>> given : plan.get(names.get(member)).entrySet()) {
                int topic = Arrays.binarySearch(topicIds, given.getKey());
                if (topic < 0 || Arrays.binarySearch(subscribers[topic], member) < 0) {
                    return null;
                }
                for (int number : given.getValue()) {
                    if (number >= firstOf[topic + 1] - firstOf[topic] || owner[firstOf[topic] + number] != Spread.NOBODY) {
                        return null;
                    }
                    owner[firstOf[topic] + number] = member;
                }
            }
        }
        return Arrays.stream(owner).anyMatch(one -> one == Spread.NOBODY) ? null : owner;
    }

    private static double mean(double[] numbers, int from, int to) {
        double sum = 0;
        int known = 0;
        for (int place = from; place < to; place++) {
            if (!Double.isNaN(numbers[place])) {
                sum += numbers[place];
                known++;
            }
        }
        return known == 0 ? Double.NaN : sum / known;
    }

    private static Map<String, Map<Uuid, Set<Integer>>> plan(Map<?, ?> given) {
        Map<String, Map<Uuid, Set<Integer>>> plan = new HashMap<>();
        given.forEach((member, topics) -> {
            Map<Uuid, Set<Integer>> owned = new HashMap<>();
            object(topics, "topics of a plan").forEach((topic, numbers) -> owned.put(topicId(topic), whole(list(numbers, "partitions of a plan"))));
            plan.put((String) member, owned);
        });
        return plan;
    }

    private static double[] numbers(List<?> given) {
        double[] numbers = new double[given.size()];
        for (int place = 0; place < numbers.length; place++) {
            Object one = given.get(place);
            if (one != null && !(one instanceof Double number && number >= 0 && !Double.isInfinite(number))) {
                throw new IllegalArgumentException("a weight is " + one + ", expected a number from 0 on, or null");
            }
            numbers[place] = one == null ? Double.NaN : (Double) one;
        }
        return numbers;
    }

    private static Set<Integer> whole(List<?> given) {
        Set<Integer> numbers = new HashSet<>();
        for (Object one : given) {
            if (!(one instanceof Double number && number >= 0 && number == number.intValue() && numbers.add(number.intValue()))) {
                throw new IllegalArgumentException("a partition of a plan is " + one + ", expected whole numbers, each once");
            }
        }
        return numbers;
    }

    private static Uuid topicId(Object given) {
        try {
            return Uuid.fromString((String) given);
        } catch (RuntimeException wrong) {
            throw new IllegalArgumentException("topic_id is " + given + ", expected 22 letters as Kafka prints them");
        }
    }

    private static Map<?, ?> object(Object given, String what) {
        if (given instanceof Map<?, ?> found) {
            return found;
        }
        throw new IllegalArgumentException(what + " is no JSON object");
    }

    private static List<?> list(Object given, String what) {
        if (given instanceof List<?> found) {
            return found;
        }
        throw new IllegalArgumentException(what + " is no JSON list");
    }
}
