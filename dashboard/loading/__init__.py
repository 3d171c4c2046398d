"""What pages load: values of groups are kept in one cache, bounded by bytes; those of an upload are
keyed by its random batch id.
"""
