"""The worker: its broker, what it looks for by itself, and how it proves that it works."""
