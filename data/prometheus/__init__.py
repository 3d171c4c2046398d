"""Reads the history of groups from a metrics store, such as Prometheus, into slots of a lake."""
