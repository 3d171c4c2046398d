"""What edits have in common: the rows of members and topics of a group that has changed, and who still owns what."""
