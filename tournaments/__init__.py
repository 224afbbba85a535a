"""The evening itself: clubs, tables, the log of what happened, and the doors people come in by."""
