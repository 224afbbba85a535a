"""A club's books as files that other programs open: rows for spreadsheets, and plain-text accounting.

Rules: docs/how-to/books.md. Pure: what stands in the books comes in, lines and cells go out. Knows no database and no
web.
"""
