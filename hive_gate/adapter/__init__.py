"""Hive's side of the line: whether a client, seen in a transcript, keeps the contract's rules for adapters."""
