"""Scratch homes, stored threads that hive-gate writes itself, and the stand-in for the model."""
