"""The books of a club: what is settled, what backs a seat, what a cause is called."""
