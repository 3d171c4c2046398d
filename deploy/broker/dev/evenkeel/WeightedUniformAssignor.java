package dev.evenkeel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spreads the partitions of KIP-848 groups by weights that Evenkeel writes into a file; owners keep what they have unless it pays.
 *
 * <pre>
 * group.consumer.assignors=dev.evenkeel.WeightedUniformAssignor,uniform,range
 * evenkeel.weights.file=/etc/kafka/evenkeel-weights.json
 * evenkeel.weights.max.age.ms=600000
 * evenkeel.weights.gain=0.10
 * evenkeel.weights.max.count.skew=2          (default: any number)
 * </pre>
 *
 * An exception in assign() would end every member of the group, and waiting would stop all groups of its coordinator: this class never
 * throws and never reads a file in assign(). A broker stores an answer unseen, so each is looked at before it is returned; after a fault
 * owners keep what they have, and if that is not whole either, Kafka's own `uniform` answers. Weights that are missing, wrong or too old
 * count as 1.
 */
public final class WeightedUniformAssignor implements ConsumerGroupPartitionAssignor, Configurable {
    public static final String NAME = "evenkeel-weighted";
    private static final Logger LOG = LoggerFactory.getLogger(WeightedUniformAssignor.class);
    private static final String SETTING = "evenkeel.weights.";

    private WeightsFile file;
    private long maxAgeMs = 600_000;
    private double gain = 0.10;
    private int aboveEven = Integer.MAX_VALUE;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void configure(Map<String, ?> settings) {
        maxAgeMs = (long) number(settings, "max.age.ms", maxAgeMs, 1, Long.MAX_VALUE);
        gain = number(settings, "gain", gain, 0, 1);
        aboveEven = (int) number(settings, "max.count.skew", aboveEven, 0, Integer.MAX_VALUE);
        Object path = settings.get(SETTING + "file");
        try {
            file = path == null ? null : WeightsFile.of(Path.of(path.toString()));
        } catch (RuntimeException wrong) {
            LOG.error("{}file={}: {}; every partition weighs 1", SETTING, path, wrong.toString());
        }
    }

    @Override
    public GroupAssignment assign(GroupSpec group, SubscribedTopicDescriber topics) {
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("by weights", (some, described) ->
            new Round(some, described).answer(file == null ? Weights.NONE : file.latest(maxAgeMs), gain, aboveEven));
        ways.put("with owners kept and the others dealt by count", (some, described) -> new Round(some, described).kept());
        ways.put("of Kafka's uniform", (some, described) -> new UniformAssignor().assign(some, described));
        return first(ways, group, topics);
    }

    /** Returns the first answer that is whole, else the targets as they are. */
    static GroupAssignment first(Map<String, Way> ways, GroupSpec group, SubscribedTopicDescriber topics) {
        for (Map.Entry<String, Way> way : ways.entrySet()) {
            try {
                GroupAssignment found = way.getValue().answer(group, topics);
                String fault = Whole.fault(found, group, topics);
                if (fault == null) {
                    return found;
                }
                LOG.error("{}: the answer {} is not used: {}", NAME, way.getKey(), fault);
            } catch (Throwable wrong) {
                LOG.error("{}: there is no answer {}", NAME, way.getKey(), wrong);
            }
        }
        LOG.error("{}: every member keeps its target", NAME);
        return targets(group);
    }

    private static GroupAssignment targets(GroupSpec group) {
        Map<String, MemberAssignment> targets = new HashMap<>();
        try {
            group.memberIds().forEach(member -> targets.put(member, new Owned(Map.of())));
            targets.replaceAll((member, nothing) -> group.memberAssignment(member));
        } catch (Throwable wrong) {
            LOG.error("{}: targets are not known", NAME, wrong);
        }
        return new GroupAssignment(targets);
    }

    /** One way to an answer. */
    interface Way {
        GroupAssignment answer(GroupSpec group, SubscribedTopicDescriber topics);
    }

    private static double number(Map<String, ?> settings, String key, double otherwise, double least, double most) {
        Object given = settings.get(SETTING + key);
        if (given == null) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(given.toString().trim());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException wrong) {
            // Said below.
        }
        LOG.error("{}{}={}, expected a number from {} to {}; {} is used", SETTING, key, given, least, most, otherwise);
        return otherwise;
    }

    /** One call: the group as arrays. Members by id, partitions by topic id and number: neither hash codes nor the clock decide. */
    private static final class Round {
        private final List<String> members;
        private final GroupSpec group;
        private final Uuid[] topicIds;
        private final int[] firstOf;
        private final int[][] subscribers;
        private final int[] topicOf;
        private final int[] owner;

        Round(GroupSpec group, SubscribedTopicDescriber described) {
            this.group = group;
            // A member that reads nothing, as one that only wants a new epoch, is in no plan and has no share.
            members = new ArrayList<>(new TreeSet<>(group.memberIds()));
            members.removeIf(member -> group.memberSubscription(member).subscribedTopicIds().stream().noneMatch(topic -> described.numPartitions(topic) > 0));
            Map<Uuid, List<Integer>> readers = new HashMap<>();
            for (int member = 0; member < members.size(); member++) {
                for (Uuid topic : group.memberSubscription(members.get(member)).subscribedTopicIds()) {
                    readers.computeIfAbsent(topic, one -> new ArrayList<>()).add(member);
                }
            }
            topicIds = readers.keySet().stream().filter(topic -> described.numPartitions(topic) > 0).sorted().toArray(Uuid[]::new);
            subscribers = Arrays.stream(topicIds).map(topic -> readers.get(topic).stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new);
            firstOf = new int[topicIds.length + 1];
            for (int topic = 0; topic < topicIds.length; topic++) {
                firstOf[topic + 1] = firstOf[topic] + described.numPartitions(topicIds[topic]);
            }
            topicOf = new int[firstOf[topicIds.length]];
            owner = new int[topicOf.length];
            Arrays.fill(owner, Spread.NOBODY);
            for (int topic = 0; topic < topicIds.length; topic++) {
                Arrays.fill(topicOf, firstOf[topic], firstOf[topic + 1], topic);
            }
            keepOwners();
        }

        GroupAssignment answer(Weights weights, double gain, int aboveEven) {
            int[] planned = weights.planned(members, instances(), topicIds, firstOf, subscribers);
            if (planned != null) {
                return assignment(planned);
            }
            double[] weight = weights.of(topicIds, firstOf);
            return assignment(
                weight == null
                    ? new Spread(ones(), topicOf, subscribers, members.size(), aboveEven).byCount(owner)
                    : new Spread(weight, topicOf, subscribers, members.size(), aboveEven).weighted(owner, gain));
        }

        GroupAssignment kept() {
            return assignment(new Spread(ones(), topicOf, subscribers, members.size(), Integer.MAX_VALUE).dealt(owner));
        }

        private double[] ones() {
            double[] ones = new double[owner.length];
            Arrays.fill(ones, 1);
            return ones;
        }

        /** Returns the instance id of each member; null where one is dynamic. */
        private List<String> instances() {
            List<String> found = new ArrayList<>();
            for (String member : members) {
                found.add(group.memberSubscription(member).instanceId().orElse(null));
            }
            return found.contains(null) ? null : found;
        }

        private void keepOwners() {
            Map<Uuid, Integer> rows = new HashMap<>();
            for (int topic = 0; topic < topicIds.length; topic++) {
                rows.put(topicIds[topic], topic);
            }
            for (int member = 0; member < members.size(); member++) {
                Set<Uuid> subscribed = group.memberSubscription(members.get(member)).subscribedTopicIds();
                for (Map.Entry<Uuid, Set<Integer>> owned : group.memberAssignment(members.get(member)).partitions().entrySet()) {
                    Integer topic = subscribed.contains(owned.getKey()) ? rows.get(owned.getKey()) : null;
                    if (topic == null) {
                        continue;
                    }
                    for (int number : owned.getValue()) {
                        int partition = firstOf[topic] + number;
                        if (number >= 0 && partition < firstOf[topic + 1] && owner[partition] == Spread.NOBODY) {
                            owner[partition] = member;
                        }
                    }
                }
            }
        }

        private GroupAssignment assignment(int[] owners) {
            List<Map<Uuid, Set<Integer>>> owned = new ArrayList<>();
            members.forEach(member -> owned.add(new HashMap<>()));
            for (int topic = 0; topic < topicIds.length; topic++) {
                int[] count = new int[members.size()];
                Numbers[] numbers = new Numbers[members.size()];
                for (int partition = firstOf[topic]; partition < firstOf[topic + 1]; partition++) {
                    if (owners[partition] != Spread.NOBODY) {
                        count[owners[partition]]++;
                    }
                }
                for (int partition = firstOf[topic]; partition < firstOf[topic + 1]; partition++) {
                    int member = owners[partition];
                    if (member != Spread.NOBODY && numbers[member] == null) {
                        numbers[member] = new Numbers(count[member]);
                        owned.get(member).put(topicIds[topic], numbers[member]);
                    }
                    if (member != Spread.NOBODY) {
                        numbers[member].append(partition - firstOf[topic]);
                    }
                }
            }
            Map<String, MemberAssignment> answer = new HashMap<>();
            group.memberIds().forEach(member -> answer.put(member, new Owned(Map.of())));
            for (int member = 0; member < owned.size(); member++) {
                answer.put(members.get(member), new Owned(owned.get(member)));
            }
            return new GroupAssignment(answer);
        }
    }

    /** What one member gets. */
    record Owned(Map<Uuid, Set<Integer>> partitions) implements MemberAssignment {}
}
