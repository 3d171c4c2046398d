"""The way from the current assignment to an answer: rebalances, heartbeats, probing rebalances, and
what a switch pauses.
"""
