import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataDelta;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage;

/** What the broker knows of the topics, from 4.2 on. */
final class Image implements CoordinatorMetadataImage {
    private record Topic(String name, Uuid id, int partitionCount) implements TopicMetadata {
        @Override
        public List<String> partitionRacks(int partition) {
            return List.of();
        }
    }

    private final Topics topics;
    private final Map<String, Topic> byName = new LinkedHashMap<>();

    Image(Topics topics) {
        this.topics = topics;
        topics.byName.forEach((name, topic) -> byName.put(name, new Topic(name, topic.id(), topic.partitionCount())));
    }

    @Override
    public Set<Uuid> topicIds() {
        return byName.values().stream().map(Topic::id).collect(Collectors.toSet());
    }

    @Override
    public Set<String> topicNames() {
        return byName.keySet();
    }

    @Override
    public Optional<TopicMetadata> topicMetadata(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public Optional<TopicMetadata> topicMetadata(Uuid id) {
        return Optional.ofNullable(byName.get(topics.nameOf(id)));
    }

    @Override
    public CoordinatorMetadataDelta emptyDelta() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public boolean isEmpty() {
        return byName.isEmpty();
    }
}
