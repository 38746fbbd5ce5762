"""Plan, ask, judge: one contract against one target."""
