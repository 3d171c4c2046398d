"""@platformatic/kafka: round-robin, and from 2.x a cooperative sticky assignor of its own."""
