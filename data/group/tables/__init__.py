"""Every table: schemas, what parsing gives, what repeats, counts, notes, and what transforms make
of tables on Arrow alone.
"""
