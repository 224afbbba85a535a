"""Presentation: languages, PDF, social cards. Knows nothing of the content."""
