"""The fair shuffle, the seal of a record, and the programs that check both (docs/fairness.md)."""
