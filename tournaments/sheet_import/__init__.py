"""A paper score sheet as a table of cells: what clubs keep by hand, read line by line.

Rules: docs/how-to/importing.md. Nothing here looks anything up or stores anything; `run` does.
"""
