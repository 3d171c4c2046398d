"""Parts of a group's edits."""
