"""Every table: schemas, results of parsing, repeats, counts, notes, and transforms that need only
Arrow.
"""
