"""Forms that edit a row, and what becomes of them where somebody else was faster."""
