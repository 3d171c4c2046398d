"""Scenarios of groups and applications: the answers to each step, kept by the steps up to it, and what takes longer behind the page."""
