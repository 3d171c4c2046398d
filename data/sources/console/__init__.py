"""Reads output of Kafka's command line tools: headers, cells, rows and messages."""
