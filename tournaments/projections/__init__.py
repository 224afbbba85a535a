"""What is written beside the log: boards, results of evenings, and which of them are out of date."""
