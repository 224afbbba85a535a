"""An evening as it follows from its facts: the fold, the clock, what everybody owes."""
