import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.coordinator.group.streams.assignor.AssignmentMemberSpec;
import org.apache.kafka.coordinator.group.streams.assignor.GroupSpecImpl;
import org.apache.kafka.coordinator.group.streams.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.streams.assignor.StickyTaskAssignor;
import org.apache.kafka.coordinator.group.streams.assignor.TopologyDescriber;

/** Answers for a streams document as the broker of a streams group does, KIP-1071. */
final class StreamsGroup {
    private record Topology(Map<String, Integer> sizes, Set<String> stateful) implements TopologyDescriber {
        @Override
        public List<String> subtopologies() {
            return new ArrayList<>(sizes.keySet());
        }

        @Override
        public int maxNumInputPartitions(String subtopology) {
            return sizes.get(subtopology);
        }

        @Override
        public boolean isStateful(String subtopology) {
            return stateful.contains(subtopology);
        }
    }

    private StreamsGroup() {}

    static Streams.TaskAnswer answer(JsonNode request) {
        JsonNode document = request.path("group");
        Map<String, AssignmentMemberSpec> members = new HashMap<>();
        for (JsonNode process : document.path("processes")) {
            for (JsonNode consumer : process.path("consumers")) {
                members.put(consumer.get("member_id").asText(), new AssignmentMemberSpec(
                    Optional.empty(), Optional.empty(), tasks(consumer.path("owned")), tasks(consumer.path("standby")), Map.of(),
                    process.get("process_id").asText(), Map.of(), Map.of(), Map.of()));
            }
        }
        String standbys = request.path("settings").path("num.standby.replicas").asText("0");
        var given = new StickyTaskAssignor().assign(new GroupSpecImpl(members, Map.of("num.standby.replicas", standbys)), topology(document));
        return answer(document, given.members());
    }

    private static Topology topology(JsonNode document) {
        Map<String, Integer> sizes = new TreeMap<>();
        Set<String> stateful = new HashSet<>();
        for (JsonNode task : document.path("tasks")) {
            String[] id = task.get("task_id").asText().split("_");
            sizes.merge(id[0], 1, Integer::sum);
            if (task.get("stateful").asBoolean()) {
                stateful.add(id[0]);
            }
        }
        return new Topology(sizes, stateful);
    }

    private static Map<String, Set<Integer>> tasks(JsonNode names) {
        Map<String, Set<Integer>> found = new HashMap<>();
        for (JsonNode name : names) {
            String[] id = name.asText().split("_");
            found.computeIfAbsent(id[0], each -> new HashSet<>()).add(Integer.parseInt(id[1]));
        }
        return found;
    }

    private static Streams.TaskAnswer answer(JsonNode document, Map<String, MemberAssignment> given) {
        Map<String, Map<String, List<String>>> threads = new TreeMap<>();
        for (JsonNode process : document.path("processes")) {
            for (JsonNode consumer : process.path("consumers")) {
                MemberAssignment got = given.get(consumer.get("member_id").asText());
                List<String> runs = names(got.activeTasks());
                List<String> keeps = names(got.standbyTasks());
                threads.put(consumer.get("member_id").asText(), Map.of("active", runs, "standby", keeps));
            }
        }
        return new Streams.TaskAnswer(threads, threads, Map.of(), false, List.of(), null);
    }

    private static List<String> names(Map<String, Set<Integer>> tasks) {
        List<String> found = new ArrayList<>();
        tasks.forEach((subtopology, partitions) -> partitions.forEach(partition -> found.add(subtopology + "_" + partition)));
        return sorted(found);
    }

    private static List<String> sorted(Iterable<String> names) {
        Set<org.apache.kafka.streams.processor.TaskId> found = new TreeSet<>();
        names.forEach(name -> found.add(org.apache.kafka.streams.processor.TaskId.parse(name)));
        return found.stream().map(Object::toString).toList();
    }
}
