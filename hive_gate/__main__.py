"""`python -m hive_gate` is the same program as `hive-gate`."""

from hive_gate.cli.app import main

if __name__ == "__main__":
    main()
