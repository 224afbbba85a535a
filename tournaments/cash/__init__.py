"""The cash desk: its book, what it holds, and the money of entries that passes it."""
