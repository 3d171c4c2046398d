"""Messages missing in kafka-python, in its form; the fields are those of Kafka's protocol."""
