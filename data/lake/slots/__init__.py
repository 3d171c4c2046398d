"""Snapshots of a collector over time: names, days, retention and deletion."""
