"""Parts of figures: frame, names, axes, panels, labels, lines."""
