"""One HTML file that needs nothing but a browser: no server, no network, no other file."""
