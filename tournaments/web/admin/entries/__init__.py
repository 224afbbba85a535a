"""Pages of the entry desk."""
