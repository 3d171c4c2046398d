"""Dealing of partitions, for assignors of several clients: in ranges, in rings, to the member with
the fewest partitions, and by rack.
"""
