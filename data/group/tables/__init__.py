"""All tables: schemas, parsing results, repeats, counts, notes, and transforms that need only
Arrow.
"""
