"""Kafka's sticky assignors: claims, the algorithms for equal and for different subscriptions, and
levelling.
"""
