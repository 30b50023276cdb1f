"""What the keeper of a house does while it is open: look, freeze a table, empty the house, turn somebody away."""
