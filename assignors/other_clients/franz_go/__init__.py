"""franz-go: range and roundrobin as in Java without racks, and sticky assignors of its own."""
