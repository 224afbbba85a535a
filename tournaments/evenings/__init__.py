"""A planned evening: its stream, its plan, its clock, its end and its money."""
