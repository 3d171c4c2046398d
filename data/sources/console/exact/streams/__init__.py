"""Lines that `kafka-streams-groups.sh` prints: consumers, their tasks, partitions."""
