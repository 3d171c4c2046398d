import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/**
 * Instances of Kafka Streams applications. A line on stdin each: `start NAME key=value …`; `stop NAME` and `leave NAME` to end one, as `close`
 * does by default or with a word to the coordinator; `tasks NAME`, answered by `state;thread active task,task standby task,task;…`;
 * `behind NAME`, answered by the records that its copies of state lack. The key `pause` is not Kafka's: milliseconds after each batch of
 * records that is restored.
 *
 * The application counts the records of `counted` by key, then again by value, and copies `copied`.
 */
public class Applications {
    private final Map<String, KafkaStreams> instances = new HashMap<>();

    public static void main(String[] args) throws Exception {
        Applications applications = new Applications();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            System.out.println(applications.answer(words, args[0]));
        }
    }

    private String answer(String[] words, String bootstrap) {
        switch (words[0]) {
            case "start" -> start(words, bootstrap);
            case "tasks" -> {
                return tasks(instances.get(words[1]));
            }
            case "behind" -> {
                return Long.toString(behind(instances.get(words[1])));
            }
            case "leave" -> instances.remove(words[1]).close(
                CloseOptions.timeout(Duration.ofSeconds(20)).withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
            default -> instances.remove(words[1]).close(Duration.ofSeconds(20));
        }
        return "done";
    }

    private void start(String[] words, String bootstrap) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("client.id", words[1]);
        settings.put("default.key.serde", Serdes.StringSerde.class.getName());
        settings.put("default.value.serde", Serdes.StringSerde.class.getName());
        settings.put("commit.interval.ms", "200");
        settings.put("auto.offset.reset", "earliest");
        for (int i = 2; i < words.length; i++) settings.put(words[i].split("=", 2)[0], words[i].split("=", 2)[1]);
        String pause = (String) settings.remove("pause");
        KafkaStreams streams = new KafkaStreams(topology(), settings);
        if (pause != null) Slowly.restore(streams, Long.parseLong(pause));
        instances.put(words[1], streams);
        streams.start();
    }

    private static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream("counted")
            .groupByKey()
            .count(Materialized.as(Stores.persistentKeyValueStore("by-key")))
            .toStream()
            .map((key, count) -> new org.apache.kafka.streams.KeyValue<>("k" + key, count.toString()))
            .groupByKey(Grouped.as("again"))
            .count(Materialized.as(Stores.persistentKeyValueStore("by-value")));
        builder.<String, String>stream("copied").to("copies");
        return builder.build();
    }

    private static long behind(KafkaStreams streams) {
        return streams.allLocalStorePartitionLags().values().stream()
            .flatMap(store -> store.values().stream()).mapToLong(lag -> lag.offsetLag()).sum();
    }

    private static String tasks(KafkaStreams streams) {
        List<String> threads = new ArrayList<>();
        streams.metadataForLocalThreads().stream().sorted(Comparator.comparing(thread -> thread.threadName())).forEach(thread -> threads.add(
            thread.threadName() + " active " + names(thread.activeTasks()) + " standby " + names(thread.standbyTasks())));
        return streams.state() + ";" + String.join(";", threads);
    }

    private static String names(Set<TaskMetadata> tasks) {
        return String.join(",", tasks.stream().map(task -> task.taskId().toString()).sorted().toList());
    }
}
