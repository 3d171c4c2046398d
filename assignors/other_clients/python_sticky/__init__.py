"""The sticky algorithm of kafka-python and aiokafka: Kafka's of 2019, for every group, without racks."""
