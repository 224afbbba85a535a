"""Forms of a score sheet: fields, hands, previews, double entry."""
