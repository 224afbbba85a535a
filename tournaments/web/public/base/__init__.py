"""Shared by the public pages: ETags, swapped parts, files, texts."""
