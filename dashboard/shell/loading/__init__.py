"""Data of several pages: groups, clusters, uploads and applications, each in one cache."""
