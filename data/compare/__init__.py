"""What every assignor would do with a group: the comparison, the advice, their words and the command."""
