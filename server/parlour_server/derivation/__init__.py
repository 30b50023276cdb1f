"""A settlement's derivation as people and programs read it: text in two languages, and plain data."""
