"""What every address of the API shares: who asks, bodies, problems, limits."""
