"""kafka-python: range and roundrobin that leave some members out, and the sticky assignors."""
