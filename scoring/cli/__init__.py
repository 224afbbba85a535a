"""The command line: tables replayed from files, hands judged. Speaks English to everybody."""
