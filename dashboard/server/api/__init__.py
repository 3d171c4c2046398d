"""What other programs ask the server: shares, scenarios, its health and its figures."""
