"""Load, check and model the contract: what Hive relies on, as data."""
