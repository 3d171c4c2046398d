"""Broker-side assignors of share groups, KIP-932."""
