"""The facts that are stored, and their form on the wire: one module for each kind of stream."""
