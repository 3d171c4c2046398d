"""Kafka Streams: which instances run each task and have its copies, until the application is
balanced.
"""
