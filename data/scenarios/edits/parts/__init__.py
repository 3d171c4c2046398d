"""What edits of a scenario have in common: the group after an edit, members that join, their ids, what they subscribe to."""
