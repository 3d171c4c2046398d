"""From bytes to arrays: everything between a group as a source shows it and an assignor, and back."""
