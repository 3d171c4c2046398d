"""Messages that kafka-python does not have, in its format. The fields are Kafka's."""
