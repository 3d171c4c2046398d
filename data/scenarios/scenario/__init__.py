"""The scenario document `evenkeel.scenario/1`: a group, settings and steps of edits; its reading
and its hashes.
"""
