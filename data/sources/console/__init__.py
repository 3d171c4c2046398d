"""What Kafka's command line tools print, line by line: headers, cells, rows, messages."""
