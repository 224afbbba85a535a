"""Read models derived from the log: boards, results of tournaments, and which of them are out of date."""
