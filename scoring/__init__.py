"""Scoring: the rules of rummy, the readings they give, and the books that follow from them."""
