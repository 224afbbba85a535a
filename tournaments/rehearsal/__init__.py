"""A whole night from a seed, through the deeds of the people who run one: for training, demos, load and tests.

Rules: docs/how-to/rehearsal.md. Nothing here writes a row of its own but the people: whatever a scorer or a director
could not do is refused here as well. A rehearsal is never published and never settled.
"""
