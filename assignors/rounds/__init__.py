"""The steps from a group's current assignment to a new assignment: rebalances, heartbeats, probing
rebalances, and the partitions that pause during the switch.
"""
