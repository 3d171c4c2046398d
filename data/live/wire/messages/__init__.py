"""Messages that kafka-python does not carry, in its own form; the fields are fields of Kafka's
protocol.
"""
