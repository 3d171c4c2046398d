"""Evenkeel's assignors for consumer groups: `evenkeel_assignors.kafka_python` and
`evenkeel_assignors.aio_kafka`. They run in the consumers.
"""
