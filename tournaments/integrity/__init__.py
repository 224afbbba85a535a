"""Whether everything stored agrees, and how it is written again from the log where it does not."""
