"""The page Groups: the groups of a cluster, worst first."""
