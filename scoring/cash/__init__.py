"""A club night's cash book as it follows from its facts: tills, what was counted in them, and the entries to post.

Rules: docs/how-to/books.md, "The cash desk". Pure: knows no clock and no storage; what accounts hold is told by the
caller.
"""
