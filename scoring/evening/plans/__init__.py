"""What is agreed before an evening: stages, formats and prizes."""
