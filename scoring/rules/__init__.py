"""The rules themselves, as pure functions: no database, no clock, no settings, no randomness.

Each module may import only the ones before it in this list: problems, options, money, cards, arrangements,
counting, outcomes, events, table, variants.
"""
