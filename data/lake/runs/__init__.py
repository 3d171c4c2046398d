"""Who writes a batch: leases that a living run renews, what a killed one left, and the turns of ingests."""
