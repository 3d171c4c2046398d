import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;

/** Clients from 2.4 to 3.3, whose subscriptions say neither generation nor rack. Members say nothing else, so only an assignor that starts afresh is asked what it would be asked. */
final class OlderClients {
    static final boolean RUN = Arrays.stream(Subscription.class.getMethods()).noneMatch(method -> method.getName().equals("rackId"));

    private OlderClients() {}

    static ConsumerPartitionAssignor assignor(String className) throws Exception {
        return (ConsumerPartitionAssignor) Class.forName(className).getConstructor().newInstance();
    }

    static GroupSubscription subscriptions(Group group) {
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (JsonNode member : group.members) {
            var subscription = new Subscription(Group.subscribed(member), null, List.of());
            subscription.setGroupInstanceId(Group.text(member, "instance_id"));
            subscriptions.put(member.get("member_id").asText(), subscription);
        }
        return new GroupSubscription(subscriptions);
    }
}
