"""Things that several lines say, each kept once."""
