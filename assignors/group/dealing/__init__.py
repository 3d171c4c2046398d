"""Ways to deal partitions, shared by assignors of several clients: ranges, rings, fewest first,
near first, by rack.
"""
