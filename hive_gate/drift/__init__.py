"""What the target says about itself: the JSON Schemas that it generates.

*Traffic and Hive.* `bundle` reads them, `validate` checks traffic against them, `compat` asks whether what Hive sends
and reads fits them.

*Two targets.* `digest` makes them small, `digestfile` keeps them; `compare` finds what differs, schema by schema
(`difference`, `alternation`, `variants`), `kinds` says what each kind of change means, `relevance` whom it concerns
(`hive`, `place`, `effect`), and `changes` puts it together.

`resolve`, `shapes` and `bounds` are the helpers all share: references, alternatives of a schema, integer ranges.
"""
