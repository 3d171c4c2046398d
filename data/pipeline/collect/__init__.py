"""Snapshots of live groups at even times, into the lake."""
