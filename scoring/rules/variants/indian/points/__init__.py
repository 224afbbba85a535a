"""Points rummy: its options, its game and its money."""
