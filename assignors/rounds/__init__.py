"""The way from the current assignment to an answer: classic rebalances, heartbeats, and what a switch pauses."""
