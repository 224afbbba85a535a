"""The events that are stored, and their JSON form: one module for each kind of stream."""
