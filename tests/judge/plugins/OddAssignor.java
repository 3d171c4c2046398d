package com.example;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Gives everything to the member with the smallest id, or does what its setting `mood` says. */
public class OddAssignor implements ConsumerPartitionAssignor, Configurable {
    private String mood = "calm";

    @Override
    public void configure(Map<String, ?> settings) {
        mood = settings.containsKey("mood") ? (String) settings.get("mood") : mood;
    }

    @Override
    public String name() {
        return "odd";
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
        System.out.println("an assignor may print");
        switch (mood) {
            case "throws" -> throw new IllegalStateException("not today");
            case "overflows" -> assign(metadata, group);
            case "hangs" -> sleep();
            case "hangs on two topics" -> {
                if (metadata.topics().size() > 1) {
                    sleep();
                }
            }
            case "spins" -> spin();
            case "eats" -> eat();
            case "exits" -> System.exit(7);
            case "babbles" -> babble();
            case "invents" -> {
                return new GroupAssignment(Map.of("A", new Assignment(List.of(new TopicPartition("nowhere", 0)))));
            }
            case "forks" -> fork();
            default -> { }
        }
        Map<String, Assignment> assigned = new HashMap<>();
        List<TopicPartition> all = new ArrayList<>();
        for (String topic : metadata.topics()) {
            for (PartitionInfo partition : metadata.partitionsForTopic(topic)) {
                all.add(new TopicPartition(topic, partition.partition()));
            }
        }
        assigned.put(group.groupSubscription().keySet().stream().min(String::compareTo).orElseThrow(), new Assignment(all));
        return new GroupAssignment(assigned);
    }

    private static void sleep() {
        try {
            Thread.sleep(3_600_000);
        } catch (InterruptedException over) {
            throw new IllegalStateException(over);
        }
    }

    private static void spin() {
        while (System.nanoTime() != 0) {
            Thread.onSpinWait();
        }
    }

    private static void eat() {
        List<byte[]> eaten = new ArrayList<>();
        while (eaten.size() < Integer.MAX_VALUE) {
            eaten.add(new byte[1 << 20]);
        }
    }

    /** Writes past System.out, which the host keeps for its answers. */
    private static void babble() {
        try (var out = new java.io.FileOutputStream(java.io.FileDescriptor.out)) {
            out.write("no JSON\n".getBytes());
        } catch (java.io.IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void fork() {
        try {
            new ProcessBuilder("sleep", "3600").start();
            new Thread(OddAssignor::sleep).start();
        } catch (java.io.IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
