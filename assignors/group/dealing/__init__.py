"""Ways to deal partitions that assignors of several clients share: ranges, rings, fewest first,
near first, by rack.
"""
