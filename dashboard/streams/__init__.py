"""Kafka Streams: which instances run tasks and keep their copies until the application is
balanced.
"""
