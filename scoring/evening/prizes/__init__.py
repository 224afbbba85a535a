"""Who gets which prize of an evening, and what an entry costs."""
