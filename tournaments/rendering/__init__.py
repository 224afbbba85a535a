"""How things look: languages, PDF, social cards. Knows nothing of what they say."""
