"""Java's collections, as far as their order shows in an answer."""
