"""The steps from a group's current assignment to a new assignment: rebalances, heartbeats and
probing rebalances. Also the partitions that pause during the switch.
"""
