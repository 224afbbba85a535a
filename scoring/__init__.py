"""Scoring: the rules of rummy, the standings and sheets derived from events, and the books that follow from them."""
