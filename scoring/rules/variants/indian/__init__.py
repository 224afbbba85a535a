"""Indian rummy, thirteen cards: points, deals and pool."""
