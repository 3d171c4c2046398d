"""Messages that kafka-python does not carry, in its own form; the fields are those of Kafka's
protocol.
"""
