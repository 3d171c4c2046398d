"""What a broker's assignor of streams groups keeps while it works, KIP-1071."""
