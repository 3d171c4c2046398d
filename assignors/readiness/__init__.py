"""Readiness: whether a group may move to the consumer protocol (KIP-848), and the owners of
partitions while the members restart.
"""
