"""How long a test waits for an event: long enough that only a hang fails, not a busy machine."""

PATIENCE = 180.0
