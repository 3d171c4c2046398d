"""Tables of groups: schemas, parsing results, repeated rows, counts, notes, and transforms in
Arrow.
"""
