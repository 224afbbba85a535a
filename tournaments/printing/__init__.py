"""What is printed: its content, read from the database. How it is set: `tournaments.rendering.pdf`."""
