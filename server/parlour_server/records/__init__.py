"""Records of matches: the format (docs/record.md), its writers, and the replayer that believes none of them."""
