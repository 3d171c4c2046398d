"""A collector's slots over time: names, days, retention and deletion."""
