"""The judge: a hand and its verdict."""
