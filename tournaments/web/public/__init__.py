"""The public pages: what a club shows without a login. Views parse, call one query, and respond."""
