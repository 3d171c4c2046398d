"""What changes from slot to slot: verdicts, owners, rebalances, and the events that tell them."""
