"""The public pages: what a club shows to everybody without a login. Parse, ask one query, answer."""
