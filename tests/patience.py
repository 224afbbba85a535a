"""How long a test waits for something that has to happen: only what hangs for ever fails, a busy machine does not."""

PATIENCE = 180.0
