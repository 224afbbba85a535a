"""Pages of the books: accounts, entries, settlements, files."""
