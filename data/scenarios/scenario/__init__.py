"""The scenario document `evenkeel.scenario/1`: a group, settings and steps of edits; how it is
read, and its hashes.
"""
