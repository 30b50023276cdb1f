"""Who somebody is: identities and the tokens that lead to them, accounts, and the lines by which they speak."""
