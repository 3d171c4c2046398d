"""Histories of groups, read from the lake without Spark."""
