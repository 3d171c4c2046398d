"""Assignors that run in the clients of a classic group."""
