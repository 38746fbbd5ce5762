"""The thread store over files, in the real server's own layout."""
