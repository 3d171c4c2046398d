"""Clusters by name: their settings, their secrets, connections to them."""
