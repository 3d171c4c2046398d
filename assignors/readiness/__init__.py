"""Readiness: may a group move to the consumer protocol (KIP-848), and the owners while its members
restart.
"""
