"""The way from the current assignment to an answer: rebalances, heartbeats, probing rebalances, and
the partitions that pause during a switch.
"""
