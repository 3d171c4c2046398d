"""Output of Kafka's command line tools, line by line: headers, cells, rows, messages."""
