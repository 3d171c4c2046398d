"""The scenario document `evenkeel.scenario/1`: a group, settings, and steps with edits."""
