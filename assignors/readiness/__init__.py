"""Readiness: may a group move to the consumer protocol (KIP-848), and who owns what while its
members restart.
"""
