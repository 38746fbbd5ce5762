"""What the target says about itself: the JSON Schemas that it generates.

`bundle` reads them, `validate` checks traffic against them, `compat` asks whether what Hive sends and reads fits them.
`resolve`, `shapes` and `bounds` are the helpers all three share: references, alternatives of a schema, integer ranges.
"""
