"""An application that only the tests install: it empties a database whose guards forbid that."""
