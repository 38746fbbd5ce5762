"""A relay between a client and its server that records what passes; it changes nothing and judges nothing."""
