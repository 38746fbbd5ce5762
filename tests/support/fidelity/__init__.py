"""The same script against two app-servers, and what differs between their answers."""
