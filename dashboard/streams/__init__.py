"""Kafka Streams: which instances run each task or have copies, until the application is
balanced.
"""
