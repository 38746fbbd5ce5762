"""What to probe: read `--codex SPEC`, find or install the program, say exactly what it is.

The way through this package: :func:`~hive_gate.target.spec.parse_spec` reads the words,
:func:`~hive_gate.target.identify.resolve` turns them into a :class:`~hive_gate.target.identify.Program` (fetching it
through the user's own npm where needed), and :func:`~hive_gate.target.schema.generate_schemas` asks that program for
its own JSON Schemas. Everything that is started is started in a scratch home with an environment by allow-list.
"""
