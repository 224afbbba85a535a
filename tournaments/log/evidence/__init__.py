"""What anybody can check of a log: fingerprints, the log as a file, what cannot be read."""
