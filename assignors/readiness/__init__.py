"""Readiness: whether a group may move to the consumer protocol (KIP-848), and its owners while its
members restart.
"""
