"""Proof that the gate notices: the contract against a server that is broken in one way at a time."""
