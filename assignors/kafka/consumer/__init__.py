"""Assignors of consumer groups that run on the broker, KIP-848."""
