"""What a stored history costs: the same questions over threads of growing length, measured, fitted and told."""
