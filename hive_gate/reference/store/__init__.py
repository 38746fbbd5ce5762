"""Where threads are kept: one interface, one store over files and one over memory, and what both share."""
