"""Incidents of groups on a real broker, whose truth is written before they begin."""
