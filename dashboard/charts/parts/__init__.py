"""What figures share: frame, room for names, axes, labels, lines."""
