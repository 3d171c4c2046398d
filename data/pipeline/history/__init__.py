"""Histories of many groups, whole groups in each task of Spark."""
