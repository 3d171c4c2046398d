"""Where all members subscribe to the same topics (KAFKA-9987)."""
