"""A scenario carried out: every step by every assignor, until the group rests; figures, lines and
hashes of it.
"""
