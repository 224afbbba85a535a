"""The worker: its broker, its periodic jobs, and how it reports that it works."""
