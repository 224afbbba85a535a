"""What every request and every answer of the site passes through, and what is told of a failure."""
