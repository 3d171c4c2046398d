"""Kafka Streams: which instances run tasks and have copies of them until the application is
balanced.
"""
