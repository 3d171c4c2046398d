"""An assignor from a jar, in a JVM of its own."""
