import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.Uuid;

/** The topics of a group document. One whose id the document does not give has the version-3 UUID of its name. */
final class Topics {
    record Topic(String name, Uuid id, int partitionCount) {}

    final Map<String, Topic> byName = new LinkedHashMap<>();
    private final Map<Uuid, String> names = new HashMap<>();

    Topics(Group group) {
        for (JsonNode topic : group.topics) {
            String name = topic.get("name").asText();
            Uuid id = Group.text(topic, "topic_id").map(Uuid::fromString).orElseGet(() -> assumedId(name));
            byName.put(name, new Topic(name, id, Group.size(topic)));
            names.put(id, name);
        }
    }

    private static Uuid assumedId(String name) {
        var id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    /** Also of a topic that is gone. */
    Uuid id(String name) {
        if (byName.containsKey(name)) {
            return byName.get(name).id();
        }
        Uuid id = assumedId(name);
        names.putIfAbsent(id, name);
        return id;
    }

    String nameOf(Uuid id) {
        return names.get(id);
    }
}
