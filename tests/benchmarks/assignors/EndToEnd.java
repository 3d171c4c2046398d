import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** One request as `evenkeel assign --jsonl` reads it, one answer as it writes it, with Kafka's classes and Jackson alone: nothing is checked. */
public final class EndToEnd {
    public record Request(String assignor, Group group) {}

    public record Group(List<Topic> topics, List<Member> members) {}

    public record Topic(String name, int partitions) {}

    public record Member(String member_id, List<String> subscribed, Map<String, int[]> owned) {}

    public record Answer(Map<String, Map<String, int[]>> assignment, Map<String, ?> withheld, List<String> assumed, String error) {}

    public static void main(String[] arguments) throws Exception {
        var json = new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
        var request = json.readValue(System.in, Request.class);
        var assignor = maker(request.assignor);
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (Member member : request.group.members) {
            subscriptions.put(member.member_id, new Subscription(member.subscribed, userData(maker(request.assignor), member)));
        }
        var given = assignor.assign(cluster(request.group.topics), new GroupSubscription(subscriptions)).groupAssignment();
        Map<String, Map<String, int[]>> assignment = new LinkedHashMap<>();
        request.group.members.forEach(member -> assignment.put(member.member_id, byTopic(given.get(member.member_id).partitions())));
        json.writeValue(System.out, new Answer(assignment, Map.of(), List.of(), null));
    }

    private static ConsumerPartitionAssignor maker(String name) {
        return name.equals("range") ? new RangeAssignor() : new StickyAssignor();
    }

    private static ByteBuffer userData(ConsumerPartitionAssignor assignor, Member member) {
        List<TopicPartition> owned = new ArrayList<>();
        member.owned.forEach((topic, numbers) -> {
            for (int number : numbers) {
                owned.add(new TopicPartition(topic, number));
            }
        });
        if (!owned.isEmpty()) {
            assignor.onAssignment(new Assignment(owned), new ConsumerGroupMetadata("group", -1, member.member_id, Optional.empty()));
        }
        return assignor.subscriptionUserData(new HashSet<>(member.subscribed));
    }

    private static Cluster cluster(List<Topic> topics) {
        Node[] none = {};
        List<PartitionInfo> partitions = new ArrayList<>();
        for (Topic topic : topics) {
            for (int number = 0; number < topic.partitions; number++) {
                partitions.add(new PartitionInfo(topic.name, number, Node.noNode(), none, none));
            }
        }
        return new Cluster("cluster", List.of(), partitions, Set.of(), Set.of());
    }

    private static Map<String, int[]> byTopic(List<TopicPartition> given) {
        Map<String, List<Integer>> lists = new TreeMap<>();
        given.forEach(each -> lists.computeIfAbsent(each.topic(), none -> new ArrayList<>()).add(each.partition()));
        Map<String, int[]> byTopic = new LinkedHashMap<>();
        lists.forEach((topic, numbers) -> byTopic.put(topic, numbers.stream().sorted(Comparator.naturalOrder()).mapToInt(Integer::intValue).toArray()));
        return byTopic;
    }
}
