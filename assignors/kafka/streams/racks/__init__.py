"""Tasks that change places so that less is read across racks, KIP-925."""
