"""A group with names: documents, tables, and the arrays that are made of both."""
