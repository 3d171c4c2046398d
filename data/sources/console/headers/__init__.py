"""Headers of Kafka's tools, and what their columns are called and how wide they are."""
