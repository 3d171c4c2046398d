"""Kafka Streams: who runs and keeps which task, and what becomes of it until the application is
balanced.
"""
