import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers of Kafka's Java client: a line `start NAME TOPIC,TOPIC key=value …` or `stop NAME` each; a topic that begins with ^ is a pattern; the key `share` makes a share consumer. */
public class Consumers {
    private final Map<String, Thread> threads = new HashMap<>();
    private final Map<String, boolean[]> stopped = new HashMap<>();

    public static void main(String[] args) throws Exception {
        Consumers consumers = new Consumers();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("start")) consumers.start(words, args[0]);
            else consumers.stop(words[1]);
            System.out.println("done");
        }
        for (String name : consumers.threads.keySet().toArray(new String[0])) consumers.stop(name);
    }

    private void start(String[] words, String bootstrap) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("client.id", words[1]);
        settings.put("key.deserializer", ByteArrayDeserializer.class.getName());
        settings.put("value.deserializer", ByteArrayDeserializer.class.getName());
        for (int i = 3; i < words.length; i++) settings.put(words[i].split("=", 2)[0], words[i].split("=", 2)[1]);
        boolean isShare = settings.remove("share") != null;
        boolean[] stop = {false};
        Thread thread = new Thread(() -> {
            if (isShare) share(settings, words[2], () -> stop[0]);
            else consume(settings, words[2], () -> stop[0]);
        });
        stopped.put(words[1], stop);
        threads.put(words[1], thread);
        thread.start();
    }

    private void stop(String name) throws InterruptedException {
        stopped.remove(name)[0] = true;
        threads.remove(name).join();
    }

    private static void consume(Properties settings, String topics, BooleanSupplier stop) {
        settings.putIfAbsent("auto.offset.reset", "earliest");
        settings.putIfAbsent("auto.commit.interval.ms", "200");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            if (topics.startsWith("^")) consumer.subscribe(Pattern.compile(topics));
            else consumer.subscribe(Arrays.asList(topics.split(",")));
            while (!stop.getAsBoolean()) consumer.poll(Duration.ofMillis(100));
        }
    }

    private static void share(Properties settings, String topics, BooleanSupplier stop) {
        try (KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(settings)) {
            consumer.subscribe(Arrays.asList(topics.split(",")));
            while (!stop.getAsBoolean()) consumer.poll(Duration.ofMillis(100));
        }
    }
}
