"""Data that several pages use, in one cache: groups, clusters, uploads and applications."""
