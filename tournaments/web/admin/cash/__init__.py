"""Pages of the cash desk."""
