import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumers of Kafka's Java client. A line on stdin each: `start NAME TOPIC,TOPIC key=value …`; `HOW NAME …` to end some;
 * `generation NAME`, answered by the generation or member epoch after the last poll; `stall NAME`, which then polls no
 * more, as one that works on a batch for long, until `go NAME`. HOW is `stop` (as `close()` does by default), `leave` (static members too) or `die` (without a word). A topic
 * that begins with ^ is a pattern; the key `share` makes a share consumer.
 */
public class Consumers {
    private static final Map<String, GroupMembershipOperation> ENDS = Map.of(
        "stop", GroupMembershipOperation.DEFAULT,
        "leave", GroupMembershipOperation.LEAVE_GROUP,
        "die", GroupMembershipOperation.REMAIN_IN_GROUP);
    private final Map<String, Thread> threads = new HashMap<>();
    private final Map<String, AtomicReference<GroupMembershipOperation>> ends = new HashMap<>();
    private final Map<String, Integer> generations = new ConcurrentHashMap<>();
    private final Set<String> stalled = ConcurrentHashMap.newKeySet();

    public static void main(String[] args) throws Exception {
        Consumers consumers = new Consumers();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("start")) consumers.start(words, args[0]);
            else if (words[0].equals("generation")) System.out.println(consumers.generations.get(words[1]));
            else if (words[0].equals("stall")) consumers.stalled.add(words[1]);
            else if (words[0].equals("go")) consumers.stalled.remove(words[1]);
            else consumers.end(Arrays.asList(words).subList(1, words.length), ENDS.get(words[0]));
            if (!words[0].equals("generation")) System.out.println("done");
        }
        consumers.end(List.copyOf(consumers.threads.keySet()), GroupMembershipOperation.DEFAULT);
    }

    private void start(String[] words, String bootstrap) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("client.id", words[1]);
        settings.put("key.deserializer", ByteArrayDeserializer.class.getName());
        settings.put("value.deserializer", ByteArrayDeserializer.class.getName());
        for (int i = 3; i < words.length; i++) settings.put(words[i].split("=", 2)[0], words[i].split("=", 2)[1]);
        boolean isShare = settings.remove("share") != null;
        AtomicReference<GroupMembershipOperation> end = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            if (isShare) share(settings, words[2], end);
            else consume(settings, words[2], end, () -> stalled.contains(words[1]), generation -> generations.put(words[1], generation));
        });
        ends.put(words[1], end);
        threads.put(words[1], thread);
        thread.start();
    }

    private void end(List<String> names, GroupMembershipOperation how) throws InterruptedException {
        for (String name : names) ends.remove(name).set(how);
        for (String name : names) threads.remove(name).join();
    }

    private static void consume(
            Properties settings, String topics, AtomicReference<GroupMembershipOperation> end, BooleanSupplier isStalled, IntConsumer generation) {
        settings.putIfAbsent("auto.offset.reset", "earliest");
        settings.putIfAbsent("auto.commit.interval.ms", "200");
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        if (topics.startsWith("^")) consumer.subscribe(Pattern.compile(topics));
        else consumer.subscribe(Arrays.asList(topics.split(",")));
        while (end.get() == null) {
            if (isStalled.getAsBoolean()) {
                LockSupport.parkNanos(20_000_000);
                continue;
            }
            consumer.poll(Duration.ofMillis(100));
            generation.accept(consumer.groupMetadata().generationId());
        }
        consumer.close(CloseOptions.groupMembershipOperation(end.get()));
    }

    private static void share(Properties settings, String topics, AtomicReference<GroupMembershipOperation> end) {
        try (KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(settings)) {
            consumer.subscribe(Arrays.asList(topics.split(",")));
            while (end.get() == null) consumer.poll(Duration.ofMillis(100));
        }
    }
}
