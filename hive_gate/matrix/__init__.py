"""Many versions: a table of them, the first that broke a clause, and whether one can be taken."""
