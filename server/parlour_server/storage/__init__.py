"""What outlives the process: journals of running tables, people, matches that are over. `store.Store` is the door."""
