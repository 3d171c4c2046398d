"""What-if of an application: steps of edits, one after the other, in a list that stands in the address."""
