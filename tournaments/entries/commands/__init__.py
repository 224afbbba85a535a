"""Commands that change entries."""
