"""Java's collections whose iteration order affects an answer."""
