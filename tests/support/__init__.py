"""Helpers that several test folders share; imported as `tests.support`, which the editable install makes possible."""
