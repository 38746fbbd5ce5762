"""A relay that stands between the gate and a real server and breaks one thing on the way."""
