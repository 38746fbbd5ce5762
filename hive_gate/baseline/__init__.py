"""The baseline: failures that the team has accepted, each with a reason, an owner and a date."""
