"""The run's model and one module for each format that is made from it."""
