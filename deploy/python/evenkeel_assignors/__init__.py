"""Assignors of Evenkeel that run inside consumer groups: `evenkeel_assignors.kafka_python` and
`evenkeel_assignors.aio_kafka`.
"""
