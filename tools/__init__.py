"""Scripts that set up and check this repository; no part of the program."""
